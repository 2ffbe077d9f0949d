//! A device with its pipelines and its error reports.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, OnceLock},
};

use dml_ops::Unavailable;
use wgpu::{
    BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry, BindingType, BufferBindingType, ComputePipeline,
    ComputePipelineDescriptor, Device, DeviceDescriptor, ErrorFilter, Features, PipelineCompilationOptions,
    PipelineLayout, PipelineLayoutDescriptor, Queue, ShaderModule, ShaderModuleDescriptor, ShaderSource, ShaderStages,
};

use super::{
    adapter::{self, AdapterChoice},
    program::{Kernel, Limits, PARAMS_BYTES, Shader},
};

/// Maximum scratch memory of a job.
const SCRATCH_BYTES: u64 = 32 << 20;

/// Why work on the device failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The device is gone.
    Lost(String),
    /// It refused, or ran out of memory.
    Error(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(message) | Self::Error(message) => f.write_str(message),
        }
    }
}

/// A device at work.
#[derive(Debug)]
pub(super) struct Gpu {
    pub device: Device,
    pub queue: Queue,
    pub limits: Limits,
    /// State and two lists.
    pub scratch: BindGroupLayout,
    /// Parameters, inputs and outputs, by the number of inputs and outputs.
    tensors: HashMap<(usize, usize), BindGroupLayout>,
    shaders: HashMap<&'static str, ShaderModule>,
    pipelines: HashMap<(&'static str, &'static str), ComputePipeline>,
    lost: Arc<OnceLock<String>>,
    stray: Arc<Mutex<Vec<String>>>,
}

impl Gpu {
    /// Opens a device of the adapter, with the adapter's own limits and these features only; none for backends.
    ///
    /// # Errors
    /// If there is no such adapter, or it refuses a device.
    pub(super) fn open(choice: &AdapterChoice, required_features: Features) -> Result<Self, Unavailable> {
        let adapter = adapter::find(choice)?;
        let limits = adapter.limits();
        let descriptor = DeviceDescriptor {
            required_features,
            required_limits: limits.clone(),
            ..DeviceDescriptor::default()
        };
        let (device, queue) = adapter::wait(adapter.request_device(&descriptor)).map_err(|error| Unavailable {
            reason: format!("the adapter `{}` gives no device: {error}", adapter.get_info().name),
            remedy: "name another one with --adapter".to_owned(),
        })?;
        let (lost, stray) = (Arc::new(OnceLock::new()), Arc::new(Mutex::new(Vec::new())));
        let text = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            let _ = text.set(format!("device lost ({reason:?}): {message}"));
        });
        let heard = Arc::clone(&stray);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            if let Ok(mut heard) = heard.lock() {
                heard.push(error.to_string());
            }
        }));
        let scratch = layout(&device, &[Binding::Write; 3]);
        Ok(Self {
            limits: Limits {
                binding: limits.max_storage_buffer_binding_size & !3,
                buffer: limits.max_buffer_size & !3,
                alignment: u64::from(limits.min_storage_buffer_offset_alignment).max(4),
                groups: limits.max_compute_workgroups_per_dimension,
                scratch: SCRATCH_BYTES.min(limits.max_storage_buffer_binding_size),
            },
            tensors: HashMap::new(),
            scratch,
            shaders: HashMap::new(),
            pipelines: HashMap::new(),
            lost,
            stray,
            device,
            queue,
        })
    }

    /// The pipeline of a kernel, made at its first use.
    pub(super) fn pipeline(&mut self, kernel: &Kernel) -> ComputePipeline {
        let key = (kernel.shader.name, kernel.entry);
        if let Some(pipeline) = self.pipelines.get(&key) {
            return pipeline.clone();
        }
        let module = self.module(kernel.shader);
        let tensors = self.tensor_layout(kernel.shader);
        let groups = if kernel.scratch {
            vec![&tensors, &self.scratch]
        } else {
            vec![&tensors]
        };
        let layout = pipeline_layout(&self.device, &groups);
        let pipeline = self.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(kernel.entry),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(kernel.entry),
            compilation_options: PipelineCompilationOptions {
                // Kernels write workgroup memory before they read it.
                zero_initialize_workgroup_memory: false,
                ..PipelineCompilationOptions::default()
            },
            cache: None,
        });
        self.pipelines.insert(key, pipeline.clone());
        pipeline
    }

    /// The layout of bind group 0 of a shader.
    pub(super) fn tensor_layout(&mut self, shader: Shader) -> BindGroupLayout {
        let (inputs, outputs) = shader.tensors;
        let device = &self.device;
        let make = || {
            let mut bindings = vec![Binding::Params];
            bindings.resize(1 + inputs, Binding::Read);
            bindings.resize(1 + inputs + outputs, Binding::Write);
            layout(device, &bindings)
        };
        self.tensors.entry(shader.tensors).or_insert_with(make).clone()
    }

    fn module(&mut self, shader: Shader) -> ShaderModule {
        let device = &self.device;
        let make = || {
            device.create_shader_module(ShaderModuleDescriptor {
                label: Some(shader.name),
                source: ShaderSource::Wgsl(shader.source.into()),
            })
        };
        self.shaders.entry(shader.name).or_insert_with(make).clone()
    }

    /// Runs `work` and returns its error, if there was one.
    ///
    /// # Errors
    /// If the device is lost, out of memory, or refuses a call.
    pub(super) fn checked<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Result<T, Fault> {
        let filters = [ErrorFilter::Internal, ErrorFilter::OutOfMemory, ErrorFilter::Validation];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let done = work(self);
        // Scopes are a stack. The first one that caught an error decides; the others have to be popped as well.
        let errors: Vec<_> = scopes
            .into_iter()
            .rev()
            .filter_map(|scope| adapter::wait(scope.pop()))
            .collect();
        match errors.first() {
            Some(error) => Err(self.fault(error.to_string())),
            None => self.healthy().map(|()| done),
        }
    }

    /// Whether the device is present and no error is pending.
    ///
    /// # Errors
    /// What happened.
    pub(super) fn healthy(&self) -> Result<(), Fault> {
        if let Some(message) = self.lost.get() {
            return Err(Fault::Lost(message.clone()));
        }
        let stray = self
            .stray
            .lock()
            .map(|mut stray| std::mem::take(&mut *stray))
            .unwrap_or_default();
        if stray.is_empty() {
            Ok(())
        } else {
            Err(self.fault(stray.join("; ")))
        }
    }

    /// Every error on a lost device counts as its loss.
    pub(super) fn fault(&self, message: String) -> Fault {
        // A callback reports the loss, and callbacks run while polling.
        let _ = self.device.poll(wgpu::PollType::Poll);
        match self.lost.get() {
            Some(lost) => Fault::Lost(lost.clone()),
            None => Fault::Error(message),
        }
    }
}

/// What stands at a binding.
#[derive(Clone, Copy, Debug)]
enum Binding {
    Params,
    Read,
    Write,
}

fn layout(device: &Device, bindings: &[Binding]) -> BindGroupLayout {
    let entry = |(number, binding): (u32, &Binding)| BindGroupLayoutEntry {
        binding: number,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer {
            ty: match binding {
                Binding::Params => BufferBindingType::Uniform,
                Binding::Read => BufferBindingType::Storage { read_only: true },
                Binding::Write => BufferBindingType::Storage { read_only: false },
            },
            // One bind group serves all dispatches of a job.
            has_dynamic_offset: matches!(binding, Binding::Params),
            min_binding_size: match binding {
                Binding::Params => std::num::NonZeroU64::new(PARAMS_BYTES),
                Binding::Read | Binding::Write => None,
            },
        },
        count: None,
    };
    let entries: Vec<_> = (0..).zip(bindings).map(entry).collect();
    device.create_bind_group_layout(&BindGroupLayoutDescriptor {
        label: None,
        entries: &entries,
    })
}

fn pipeline_layout(device: &Device, groups: &[&BindGroupLayout]) -> PipelineLayout {
    let groups: Vec<_> = groups.iter().map(|group| Some(*group)).collect();
    device.create_pipeline_layout(&PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}
