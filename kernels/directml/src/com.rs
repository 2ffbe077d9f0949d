//! The necessary parts of COM, laid out by hand: they are the same on Windows and on Linux except for methods that
//! return structures, which say so in their documentation.

use std::{ffi::c_void, fmt, ptr::NonNull};

/// What COM methods return.
pub(super) type Hresult = i32;

/// Success.
pub(super) const S_OK: Hresult = 0;
/// A method that does nothing here.
pub(super) const E_NOTIMPL: Hresult = 0x8000_4001_u32.cast_signed();
/// An interface that the object does not have.
pub(super) const E_NOINTERFACE: Hresult = 0x8000_4002_u32.cast_signed();
/// A null pointer if something has to be written.
pub(super) const E_POINTER: Hresult = 0x8000_4003_u32.cast_signed();
/// An argument, such as a descriptor, is refused.
pub(super) const E_INVALIDARG: Hresult = 0x8007_0057_u32.cast_signed();
/// The same in libraries of levels 3.0 and 3.1 on Linux, which have the codes of 16-bit Windows.
pub(super) const E_INVALIDARG_16: Hresult = 0x8000_0003_u32.cast_signed();
/// A feature level or operator that the library does not have.
pub(super) const DXGI_ERROR_UNSUPPORTED: Hresult = 0x887a_0004_u32.cast_signed();
/// The device is gone.
pub(super) const DXGI_ERROR_DEVICE_REMOVED: Hresult = 0x887a_0005_u32.cast_signed();
/// The device was removed because a command of this program did not end.
pub(super) const DXGI_ERROR_DEVICE_HUNG: Hresult = 0x887a_0006_u32.cast_signed();
/// The device was removed because a command of this program was invalid.
pub(super) const DXGI_ERROR_DEVICE_RESET: Hresult = 0x887a_0007_u32.cast_signed();
/// The device was removed because its driver failed.
pub(super) const DXGI_ERROR_DRIVER_INTERNAL: Hresult = 0x887a_0020_u32.cast_signed();

/// An HRESULT in its usual spelling: `0x80070057`.
pub(super) struct Code(pub(super) Hresult);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0.cast_unsigned())
    }
}

/// Name of an interface.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guid {
    pub(super) data1: u32,
    pub(super) data2: u16,
    pub(super) data3: u16,
    pub(super) data4: [u8; 8],
}

impl Guid {
    /// The GUID whose usual spelling, without dashes, is this number in hexadecimal.
    pub(super) const fn new(number: u128) -> Self {
        let bytes = number.to_be_bytes();
        let [.., a, b, c, d, e, f, g, h] = bytes;
        Self {
            data1: (number >> 96) as u32,
            data2: (number >> 80) as u16,
            data3: (number >> 64) as u16,
            data4: [a, b, c, d, e, f, g, h],
        }
    }
}

/// `IUnknown`.
pub(super) const IUNKNOWN: Guid = Guid::new(0x00000000_0000_0000_c000_000000000046);

/// Methods that every object has.
#[repr(C)]
pub(super) struct UnknownMethods {
    pub(super) query_interface: unsafe extern "system" fn(*mut c_void, *const Guid, *mut *mut c_void) -> Hresult,
    pub(super) add_ref: unsafe extern "system" fn(*mut c_void) -> u32,
    pub(super) release: unsafe extern "system" fn(*mut c_void) -> u32,
}

/// A reference to an object of a library, with methods of the type `V`; it is released when this is dropped.
pub(super) struct Com<V: 'static>(NonNull<*const V>);

impl<V> Com<V> {
    /// Takes over a reference that a library has returned; `None` if it is null.
    ///
    /// # Safety
    /// `object` is null, or an object whose methods begin with those of `IUnknown` and go on as `V` says, and one
    /// reference to it is the caller's to give away.
    #[allow(unsafe_code, reason = "only the caller knows what the pointer is")]
    pub(super) unsafe fn take(object: *mut c_void) -> Option<Self> {
        NonNull::new(object.cast()).map(Self)
    }

    /// What methods take as `this`.
    pub(super) fn this(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    /// The methods.
    #[allow(unsafe_code, reason = "the methods stand behind a foreign pointer")]
    pub(super) fn methods(&self) -> &V {
        // SAFETY: as `take` demands, this is a live object, kept so by our reference; its first word points to a table
        // of methods, which lives at least as long as the object.
        unsafe { &**self.0.as_ptr() }
    }
}

impl<V> Drop for Com<V> {
    #[allow(unsafe_code, reason = "a foreign method is called")]
    fn drop(&mut self) {
        // SAFETY: every table of methods begins with those of `IUnknown` (see `take`), and this gives up the one
        // reference that is ours.
        unsafe {
            let methods = self.0.cast::<*const UnknownMethods>().as_ref();
            ((**methods).release)(self.this());
        }
    }
}

impl<V> Com<V> {
    /// The same object as another interface, if it has it.
    ///
    /// # Safety
    /// The methods of that interface are those of `W`.
    #[allow(unsafe_code, reason = "a foreign method is called")]
    pub(super) unsafe fn query<W>(&self, interface: &Guid) -> Option<Com<W>> {
        let mut place = std::ptr::null_mut();
        // SAFETY: every table of methods begins with those of `IUnknown` (see `take`); there is a place for the
        // reference, which is taken over.
        unsafe {
            let methods = self.0.cast::<*const UnknownMethods>().as_ref();
            ((**methods).query_interface)(self.this(), interface, &raw mut place);
            Com::take(place)
        }
    }
}

/// Why the device did not do something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is gone, and everything on it.
    Lost(String),
    /// It is still there.
    Error(String),
}

impl Fault {
    /// From what a method returned.
    pub(super) fn new(method: &str, code: Hresult) -> Self {
        let message = format!("{method} returned {}", Code(code));
        match code {
            DXGI_ERROR_DEVICE_REMOVED
            | DXGI_ERROR_DEVICE_HUNG
            | DXGI_ERROR_DEVICE_RESET
            | DXGI_ERROR_DRIVER_INTERNAL => Self::Lost(message),
            _ => Self::Error(message),
        }
    }

    /// What happened.
    pub(super) fn message(&self) -> &str {
        match self {
            Self::Lost(message) | Self::Error(message) => message,
        }
    }
}

/// Nothing, if a method succeeded.
pub(super) fn done(method: &str, code: Hresult) -> Result<(), Fault> {
    if code >= S_OK {
        Ok(())
    } else {
        Err(Fault::new(method, code))
    }
}

/// The object that a method made.
///
/// # Safety
/// What [`Com::take`] demands of the object.
#[allow(unsafe_code, reason = "only the caller knows what the pointer is")]
pub(super) unsafe fn made<V>(method: &str, code: Hresult, object: *mut c_void) -> Result<Com<V>, Fault> {
    // SAFETY: the caller's promise.
    let object = unsafe { Com::take(object) };
    done(method, code)?;
    object.ok_or_else(|| Fault::Error(format!("{method} succeeded without making anything")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_have_the_layout_of_the_headers() {
        let guid = Guid::new(0x6dbd6437_96fd_423f_a98c_ae5e7c2a573f);
        let fields = (guid.data1, guid.data2, guid.data3, guid.data4);
        let last = [0xa9, 0x8c, 0xae, 0x5e, 0x7c, 0x2a, 0x57, 0x3f];
        assert_eq!(fields, (0x6dbd_6437, 0x96fd, 0x423f, last));
        assert_eq!(Code(E_INVALIDARG).to_string(), "0x80070057");
    }
}
