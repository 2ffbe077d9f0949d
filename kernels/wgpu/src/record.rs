//! Jobs on their way to the device: uploads, and the dispatches of all of them in one pass.

use dml_ops::Job;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindingResource, BufferBinding, CommandEncoder,
    ComputePassDescriptor, ComputePassTimestampWrites,
};

use super::{
    arena::{Layout, Place},
    device::Gpu,
    placement::{JobPlaces, Places, Planned, Pools, bound, whole_words},
    program::PARAMS_BYTES,
};

/// Makes the buffers, and fills parameters, inputs and outputs.
pub(super) fn upload(gpu: &Gpu, pools: &mut Pools, jobs: &[Planned], places: &Places) {
    let device = &gpu.device;
    pools.scratch.fit(device, &places.scratch);
    fill(gpu, pools.params.fit(device, &places.params), &places.params, |write| {
        for (Planned { program, .. }, place) in jobs.iter().zip(&places.jobs) {
            let offsets = (place.params.offset..).step_by(PARAMS_BYTES as usize);
            for (step, offset) in program.steps.iter().zip(offsets) {
                let bytes: Vec<u8> = step.params.iter().flat_map(|word| word.to_le_bytes()).collect();
                write(Place { offset, ..place.params }, &bytes);
            }
        }
    });
    fill(gpu, pools.inputs.fit(device, &places.inputs), &places.inputs, |write| {
        for (Planned { job, .. }, place) in jobs.iter().zip(&places.jobs) {
            let own = |(input, _): &(usize, _)| job.aliases.iter().all(|alias| alias.input != *input);
            let inputs = job.inputs.iter().zip(&place.inputs).enumerate().filter(own);
            inputs.for_each(|(_, (buffer, at))| write(*at, buffer.tensor()));
        }
    });
    fill(
        gpu,
        pools.outputs.fit(device, &places.outputs),
        &places.outputs,
        |write| {
            for (Planned { job, .. }, place) in jobs.iter().zip(&places.jobs) {
                job.outputs
                    .iter()
                    .zip(&place.outputs)
                    .for_each(|(buffer, at)| write(*at, buffer.whole()));
            }
        },
    );
}

/// Fills the buffers of a layout: one upload each. Bytes that no item covers are unspecified.
fn fill(gpu: &Gpu, buffers: &[wgpu::Buffer], layout: &Layout, write: impl FnOnce(&mut dyn FnMut(Place, &[u8]))) {
    let sizes = layout.lengths().map(std::num::NonZeroU64::new);
    let mut views: Vec<_> = buffers
        .iter()
        .zip(sizes)
        .map(|(buffer, size)| size.and_then(|size| gpu.queue.write_buffer_with(buffer, 0, size)))
        .collect();
    write(&mut |place, bytes| {
        if let Some(Some(view)) = views.get_mut(place.buffer) {
            let start = place.offset as usize;
            view.slice(start..start + bytes.len()).copy_from_slice(bytes);
        }
    });
}

/// The buffers of a batch.
struct Buffers<'a> {
    params: &'a [wgpu::Buffer],
    inputs: &'a [wgpu::Buffer],
    outputs: &'a [wgpu::Buffer],
    scratch: &'a [wgpu::Buffer],
}

/// Records every job's dispatches in one pass, after clearing their state.
pub(super) fn record(
    gpu: &mut Gpu,
    encoder: &mut CommandEncoder,
    timestamp_writes: Option<ComputePassTimestampWrites<'_>>,
    pools: &Pools,
    jobs: &[Planned],
    places: &Places,
) {
    let buffers = Buffers {
        params: pools.params.all_buffers(),
        inputs: pools.inputs.all_buffers(),
        outputs: pools.outputs.all_buffers(),
        scratch: pools.scratch.all_buffers(),
    };
    for (Planned { program, .. }, place) in jobs.iter().zip(&places.jobs) {
        if let Some([state, ..]) = place.scratch
            && let Some(buffer) = buffers.scratch.get(state.buffer)
        {
            encoder.clear_buffer(buffer, state.offset, Some(program.state));
        }
    }
    for (Planned { job, .. }, place) in jobs.iter().zip(&places.jobs) {
        copy_aliases(encoder, job, place, &buffers);
    }
    let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor {
        label: None,
        timestamp_writes,
    });
    for (Planned { job, program }, place) in jobs.iter().zip(&places.jobs) {
        let Some(first) = program.steps.first() else { continue };
        let layout = gpu.tensor_layout(first.kernel.shader);
        let tensors = bind_tensors(gpu, &layout, job, place, &buffers);
        let scratch = place.scratch.map(|[state, a, b]| {
            let lengths = [program.state, program.list.max(4), program.list.max(4)];
            [[state, a, b], [state, b, a]].map(|order| bind_scratch(gpu, order, lengths, &buffers))
        });
        let offsets = (place.params.offset..).step_by(PARAMS_BYTES as usize);
        for (step, offset) in program.steps.iter().zip(offsets) {
            pass.set_pipeline(&gpu.pipeline(&step.kernel));
            pass.set_bind_group(0, &tensors, &[u32::try_from(offset).unwrap_or(u32::MAX)]);
            if let Some([straight, swapped]) = scratch.as_ref().filter(|_| step.kernel.scratch) {
                pass.set_bind_group(1, if step.swapped { swapped } else { straight }, &[]);
            }
            pass.dispatch_workgroups(step.groups.0, step.groups.1, 1);
        }
    }
}

/// A dispatch cannot read and write one buffer under two bindings: it reads a copy of the output in whose place the
/// input lies, made here on the device.
fn copy_aliases(encoder: &mut CommandEncoder, job: &Job, place: &JobPlaces, buffers: &Buffers<'_>) {
    for alias in &job.aliases {
        let (from, to) = (place.outputs.get(alias.output), place.inputs.get(alias.input));
        let (Some(from), Some(to), Some(tensor)) = (from, to, job.outputs.get(alias.output)) else {
            continue;
        };
        if let Some((source, target)) = buffers.outputs.get(from.buffer).zip(buffers.inputs.get(to.buffer)) {
            let (start, length) = (from.offset + tensor.guard() as u64, whole_words(tensor.tensor().len()));
            encoder.copy_buffer_to_buffer(source, start, target, to.offset, length);
        }
    }
}

/// Binds parameters, inputs and the outputs between their guards.
fn bind_tensors(gpu: &Gpu, layout: &BindGroupLayout, job: &Job, place: &JobPlaces, buffers: &Buffers<'_>) -> BindGroup {
    let params = range(
        buffers.params,
        Place {
            offset: 0,
            ..place.params
        },
        PARAMS_BYTES,
    );
    let inputs = job
        .inputs
        .iter()
        .zip(&place.inputs)
        .map(|(buffer, at)| range(buffers.inputs, *at, bound(buffer)));
    let outputs = job.outputs.iter().zip(&place.outputs).map(|(buffer, at)| {
        let tensor = Place {
            offset: at.offset + buffer.guard() as u64,
            ..*at
        };
        range(buffers.outputs, tensor, bound(buffer))
    });
    bind(gpu, layout, [params].into_iter().chain(inputs).chain(outputs))
}

fn bind_scratch(gpu: &Gpu, order: [Place; 3], lengths: [u64; 3], buffers: &Buffers<'_>) -> BindGroup {
    let ranges = order
        .into_iter()
        .zip(lengths)
        .map(|(place, length)| range(buffers.scratch, place, length));
    bind(gpu, &gpu.scratch, ranges)
}

fn bind<'a>(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    ranges: impl Iterator<Item = Option<BindingResource<'a>>>,
) -> BindGroup {
    let entries: Vec<_> = (0..)
        .zip(ranges.flatten())
        .map(|(binding, resource)| BindGroupEntry { binding, resource })
        .collect();
    gpu.device.create_bind_group(&BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}

fn range(buffers: &[wgpu::Buffer], place: Place, length: u64) -> Option<BindingResource<'_>> {
    buffers.get(place.buffer).map(|buffer| {
        BindingResource::Buffer(BufferBinding {
            buffer,
            offset: place.offset,
            size: std::num::NonZeroU64::new(length),
        })
    })
}
