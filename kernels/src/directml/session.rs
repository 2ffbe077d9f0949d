//! A session on a device of DirectML's.

use std::{collections::VecDeque, ffi::c_void, ptr, time::Duration};

use dml_ops::{Answer, Job, JobId, Rejection, Session, Unavailable};
use dml_spec::Descriptor;

use super::{
    Options,
    com::{
        Code, Com, DXGI_ERROR_DEVICE_REMOVED, DXGI_ERROR_UNSUPPORTED, E_INVALIDARG, E_INVALIDARG_16, Hresult,
        IDML_OPERATOR, S_OK, UnknownMethods,
    },
    library::{self, Loaded},
    marshal::{MarshalError, Marshalled},
};

/// Why nothing runs here.
const NULL_DEVICE: &str = "null device";

/// Why a descriptor does not reach the library.
const NOT_EXPRESSIBLE: &str = "not-expressible";

/// The library at work.
pub(super) struct DirectMlSession {
    options: Options,
    loaded: Loaded,
    waiting: VecDeque<JobId>,
}

impl DirectMlSession {
    pub(super) fn new(options: Options, loaded: Loaded) -> Self {
        Self {
            options,
            loaded,
            waiting: VecDeque::new(),
        }
    }
}

impl Session for DirectMlSession {
    fn create(&mut self, job: &Job) -> Answer {
        create(&self.loaded, &job.descriptor)
    }

    fn submit(&mut self, jobs: Vec<Job>) {
        self.waiting.extend(jobs.iter().map(|job| job.id));
    }

    fn poll(&mut self, _: Duration) -> Vec<(JobId, Answer)> {
        let reason = NULL_DEVICE.to_owned();
        let skip = |id| (id, Answer::Skipped { reason: reason.clone() });
        self.waiting.drain(..).map(skip).collect()
    }

    fn reset(&mut self) -> Result<(), Unavailable> {
        self.loaded = library::load(&self.options)?;
        self.waiting.clear();
        Ok(())
    }
}

/// Asks the library for the operator. It sees every descriptor that C can say, valid or not.
fn create(loaded: &Loaded, descriptor: &Descriptor) -> Answer {
    let made = match Marshalled::new(descriptor) {
        Ok(made) => made,
        Err(MarshalError::Strides { .. }) => {
            let reason = NOT_EXPRESSIBLE.to_owned();
            return Answer::Skipped { reason };
        }
        Err(error @ MarshalError::Operator(_)) => {
            let message = error.to_string();
            return Answer::Error { message };
        }
    };
    match create_operator(loaded, &made) {
        S_OK => Answer::Created,
        code @ (E_INVALIDARG | E_INVALIDARG_16 | DXGI_ERROR_UNSUPPORTED) => Answer::Rejected(Rejection {
            reason: format!("CreateOperator returned {}", Code(code)),
            clauses: Vec::new(),
            hresult: Some(code.cast_unsigned()),
        }),
        DXGI_ERROR_DEVICE_REMOVED => Answer::DeviceLost {
            message: format!("CreateOperator returned {}", Code(DXGI_ERROR_DEVICE_REMOVED)),
        },
        code => Answer::Error {
            message: format!("CreateOperator returned {}", Code(code)),
        },
    }
}

#[allow(unsafe_code, reason = "a foreign method is called")]
fn create_operator(loaded: &Loaded, descriptor: &Marshalled) -> Hresult {
    let device = &loaded.device;
    let mut operator: *mut c_void = ptr::null_mut();
    // SAFETY: the descriptor and all it points to live through the call, and every pointer in it is null or leads to
    // as many elements as the count beside it says (a null array of sizes with a count is the library's to refuse).
    // There is a place for the operator, whose one reference is taken over here and released.
    unsafe {
        let code =
            (device.methods().create_operator)(device.this(), descriptor.as_ptr(), &IDML_OPERATOR, &raw mut operator);
        drop(Com::<UnknownMethods>::take(operator));
        code
    }
}
