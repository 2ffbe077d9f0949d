//! The adapters of the system: dxcore lists them on WSL, DXGI on Windows.

#![allow(unsafe_code, reason = "foreign methods are called; each call says why it may be")]

use super::{
    choice::Adapter,
    com::{Com, UnknownMethods},
    error::DeviceError,
};

/// An adapter, and what it reports about itself.
struct Listed {
    name: String,
    is_hardware: bool,
    object: Com<UnknownMethods>,
    /// Its locally unique id.
    #[cfg(windows)]
    luid: u64,
}

/// The requested adapter; `None` leaves the choice to D3D12.
///
/// # Errors
/// If there is none like that.
pub(super) fn find(wanted: &Adapter) -> Result<Option<Com<UnknownMethods>>, DeviceError> {
    let mut found = match list() {
        Ok(found) => found,
        Err(_) if *wanted == Adapter::Hardware => return Ok(None),
        Err(error) => {
            let wanted = wanted.clone();
            return Err(DeviceError::NoList { wanted, error });
        }
    };
    let facts: Vec<_> = found.iter().map(|a| (a.name.clone(), a.is_hardware)).collect();
    match choose(wanted, &facts) {
        Some(number) => Ok(Some(found.swap_remove(number).object)),
        None => Err(DeviceError::NoAdapter {
            wanted: wanted.clone(),
            found: facts.into_iter().map(|(name, _)| name).collect(),
        }),
    }
}

/// The id of the last adapter, which on Windows is the software one: DirectML looks for the adapter of any device that
/// it is given, even a null device.
#[cfg(windows)]
pub(super) fn last_luid() -> Option<u64> {
    list().ok()?.last().map(|adapter| adapter.luid)
}

/// Number of the requested adapter, among names and whether they are hardware.
fn choose(wanted: &Adapter, found: &[(String, bool)]) -> Option<usize> {
    match wanted {
        Adapter::Hardware => found.iter().position(|(_, is_hardware)| *is_hardware),
        Adapter::Warp => found.iter().position(|(_, is_hardware)| !is_hardware),
        Adapter::Number(number) => Some(*number).filter(|number| *number < found.len()),
        Adapter::Name(part) => {
            let part = part.to_lowercase();
            found.iter().position(|(name, _)| name.to_lowercase().contains(&part))
        }
    }
}

#[cfg(target_os = "linux")]
use dxcore::list;

#[cfg(windows)]
use dxgi::list;

#[cfg(not(any(target_os = "linux", windows)))]
fn list() -> Result<Vec<Listed>, String> {
    Err("there is no list of adapters on this system".to_owned())
}

/// dxcore, whose methods return nothing larger than a `bool`.
#[cfg(target_os = "linux")]
mod dxcore {
    use std::{ffi::c_void, mem, path::Path, ptr};

    use super::Listed;
    use crate::{
        choice::WSL_DRIVER,
        com::{Com, Fault, Guid, Hresult, UnknownMethods, made},
        d3d12::slots,
        library_file::load_for_all,
    };

    /// `IDXCoreAdapterFactory`.
    const FACTORY: Guid = Guid::new(0x78ee5945_c36e_4b13_a669_005dd11c0f06);
    /// `IDXCoreAdapterList`.
    const LIST: Guid = Guid::new(0x526c7776_40e9_459b_b711_f32ad76dfc28);
    /// `IDXCoreAdapter`.
    const ADAPTER: Guid = Guid::new(0xf0db4c7f_fe5a_42a2_bd62_f2a6cf6fc83e);
    /// `DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE`.
    const COMPUTES: Guid = Guid::new(0x248e2800_a793_4724_abaa_23a6de1be090);

    /// Properties of an adapter: its description, and whether it is hardware.
    const DESCRIPTION: u32 = 2;
    const IS_HARDWARE: u32 = 11;

    type CreateFactory = unsafe extern "system" fn(*const Guid, *mut *mut c_void) -> Hresult;

    #[repr(C)]
    struct FactoryMethods {
        unknown: UnknownMethods,
        /// 3: count of attributes, attributes, interface, place.
        create_list: unsafe extern "system" fn(*mut c_void, u32, *const Guid, *const Guid, *mut *mut c_void) -> Hresult,
    }

    #[repr(C)]
    struct ListMethods {
        unknown: UnknownMethods,
        /// 3: number, interface, place.
        adapter: unsafe extern "system" fn(*mut c_void, u32, *const Guid, *mut *mut c_void) -> Hresult,
        /// 4
        count: unsafe extern "system" fn(*mut c_void) -> u32,
    }

    #[repr(C)]
    struct AdapterMethods {
        unknown: UnknownMethods,
        questions: [*const c_void; 3],
        /// 6: property, bytes of the place, place.
        property: unsafe extern "system" fn(*mut c_void, u32, usize, *mut c_void) -> Hresult,
        /// 7: property, place.
        property_size: unsafe extern "system" fn(*mut c_void, u32, *mut usize) -> Hresult,
    }

    slots!(FactoryMethods: create_list 3);
    slots!(ListMethods: adapter 3, count 4);
    slots!(AdapterMethods: property 6, property_size 7);

    /// All adapters that compute. Without WSL's driver there are none: the library fails to load, and its name is free
    /// for the stand-in.
    pub(super) fn list() -> Result<Vec<Listed>, String> {
        if !Path::new(WSL_DRIVER).exists() {
            return Err(format!("there is no {WSL_DRIVER}, which WSL has"));
        }
        let names = ["libdxcore.so", "/usr/lib/wsl/lib/libdxcore.so"];
        let mut loaded = names.iter().map(|name| load_for_all(Path::new(name)));
        let library = loaded.find_map(Result::ok).ok_or("libdxcore.so cannot be loaded")?;
        // SAFETY: the function has always had this signature.
        let create = unsafe { library.get::<CreateFactory>(b"DXCoreCreateAdapterFactory\0") };
        let create = *create.map_err(|_| "libdxcore.so has no function DXCoreCreateAdapterFactory")?;
        let found = enumerate(create).map_err(|fault| fault.message().to_owned())?;
        // It is kept for the life of this process, as its objects are.
        mem::forget(library);
        Ok(found)
    }

    fn enumerate(create: CreateFactory) -> Result<Vec<Listed>, Fault> {
        let mut place = ptr::null_mut();
        // SAFETY: a place for an object of the interface whose methods `FactoryMethods` begins with.
        let factory: Com<FactoryMethods> = unsafe {
            let code = create(&FACTORY, &raw mut place);
            made("DXCoreCreateAdapterFactory", code, place)?
        };
        let mut place = ptr::null_mut();
        // SAFETY: an array of one attribute, and a place for an object of the interface that `ListMethods` begins.
        let list: Com<ListMethods> = unsafe {
            let create_list = factory.methods().create_list;
            let code = create_list(factory.this(), 1, &COMPUTES, &LIST, &raw mut place);
            made("CreateAdapterList", code, place)?
        };
        // SAFETY: a method without arguments.
        let count = unsafe { (list.methods().count)(list.this()) };
        (0..count).map(|number| listed(&list, number)).collect()
    }

    fn listed(list: &Com<ListMethods>, number: u32) -> Result<Listed, Fault> {
        let mut place = ptr::null_mut();
        // SAFETY: a place for an object of the interface whose methods `AdapterMethods` begins with, which begin with
        // those of `IUnknown`; the second reference is the first one's object as that.
        let (adapter, object): (Com<AdapterMethods>, _) = unsafe {
            let code = (list.methods().adapter)(list.this(), number, &ADAPTER, &raw mut place);
            let adapter: Com<AdapterMethods> = made("GetAdapter", code, place)?;
            let object = adapter.query(&ADAPTER);
            (adapter, object)
        };
        let object = object.ok_or_else(|| Fault::Error("an adapter is none".to_owned()))?;
        let text = property(&adapter, DESCRIPTION);
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok(Listed {
            name: String::from_utf8_lossy(text).into_owned(),
            is_hardware: property(&adapter, IS_HARDWARE).first().is_some_and(|byte| *byte != 0),
            object,
        })
    }

    /// The bytes of a property; none if the adapter does not have it.
    fn property(adapter: &Com<AdapterMethods>, property: u32) -> Vec<u8> {
        let mut bytes = 0;
        // SAFETY: a place for a size.
        let code = unsafe { (adapter.methods().property_size)(adapter.this(), property, &raw mut bytes) };
        if code < 0 {
            return Vec::new();
        }
        let mut value = vec![0_u8; bytes];
        // SAFETY: a place of so many bytes.
        let code = unsafe { (adapter.methods().property)(adapter.this(), property, bytes, value.as_mut_ptr().cast()) };
        if code < 0 { Vec::new() } else { value }
    }
}

/// DXGI.
#[cfg(windows)]
mod dxgi {
    use std::{ffi::c_void, mem, path::Path, ptr};

    use super::Listed;
    use crate::{
        com::{Com, Guid, Hresult, UnknownMethods, made},
        d3d12::{layout, slots},
        library_file::load_for_all,
    };

    /// `IDXGIFactory4`.
    const FACTORY: Guid = Guid::new(0x1bc6ea02_ef36_464f_bf0c_21ca39e5168a);
    /// `IDXGIAdapter1`.
    const ADAPTER: Guid = Guid::new(0x29038f61_3839_4626_91fd_086879011a05);
    /// `DXGI_ADAPTER_FLAG_SOFTWARE`.
    const SOFTWARE: u32 = 2;

    type CreateFactory = unsafe extern "system" fn(u32, *const Guid, *mut *mut c_void) -> Hresult;

    #[repr(C)]
    struct FactoryMethods {
        unknown: UnknownMethods,
        object: [*const c_void; 4],
        first: [*const c_void; 5],
        /// 12: number, place.
        adapter: unsafe extern "system" fn(*mut c_void, u32, *mut *mut c_void) -> Hresult,
        windows: [*const c_void; 14],
        /// 27: interface, place.
        warp: unsafe extern "system" fn(*mut c_void, *const Guid, *mut *mut c_void) -> Hresult,
    }

    #[repr(C)]
    struct AdapterMethods {
        unknown: UnknownMethods,
        object: [*const c_void; 4],
        first: [*const c_void; 3],
        /// 10: place.
        desc: unsafe extern "system" fn(*mut c_void, *mut Desc) -> Hresult,
    }

    /// `DXGI_ADAPTER_DESC1`.
    #[repr(C)]
    struct Desc {
        name: [u16; 128],
        ids: [u32; 4],
        memory: [usize; 3],
        luid: [u32; 2],
        flags: u32,
    }

    slots!(FactoryMethods: adapter 12, warp 27);
    slots!(AdapterMethods: desc 10);
    layout!(Desc: 312, name 0, ids 256, memory 272, luid 296, flags 304);

    /// All adapters, the software one at the end: DXGI lists it only if there is no other.
    pub(super) fn list() -> Result<Vec<Listed>, String> {
        let library = load_for_all(Path::new("dxgi.dll")).map_err(|error| error.to_string())?;
        // SAFETY: the function has always had this signature.
        let create = unsafe { library.get::<CreateFactory>(b"CreateDXGIFactory2\0") };
        let create = *create.map_err(|_| "dxgi.dll has no function CreateDXGIFactory2")?;
        mem::forget(library);
        let mut place = ptr::null_mut();
        // SAFETY: a place for an object of the interface whose methods `FactoryMethods` begins with.
        let factory: Com<FactoryMethods> = unsafe {
            let code = create(0, &FACTORY, &raw mut place);
            made("CreateDXGIFactory2", code, place).map_err(|fault| fault.message().to_owned())?
        };
        let mut found = Vec::new();
        for number in 0.. {
            let mut place = ptr::null_mut();
            // SAFETY: a place for an `IDXGIAdapter1`, whose methods `AdapterMethods` begins with.
            let adapter = unsafe {
                let code = (factory.methods().adapter)(factory.this(), number, &raw mut place);
                made::<AdapterMethods>("EnumAdapters1", code, place)
            };
            let Ok(adapter) = adapter else { break };
            found.extend(listed(&adapter));
        }
        if found.iter().all(|adapter| adapter.is_hardware) {
            let mut place = ptr::null_mut();
            // SAFETY: a place for an object of the interface whose methods `AdapterMethods` begins with.
            let adapter = unsafe {
                let code = (factory.methods().warp)(factory.this(), &ADAPTER, &raw mut place);
                made::<AdapterMethods>("EnumWarpAdapter", code, place)
            };
            found.extend(adapter.ok().as_ref().and_then(listed));
        }
        Ok(found)
    }

    fn listed(adapter: &Com<AdapterMethods>) -> Option<Listed> {
        let mut desc = Desc {
            name: [0; 128],
            ids: [0; 4],
            memory: [0; 3],
            luid: [0; 2],
            flags: 0,
        };
        // SAFETY: a place for the structure; every table of methods begins with those of `IUnknown`.
        let (code, object) = unsafe {
            let code = (adapter.methods().desc)(adapter.this(), &raw mut desc);
            (code, adapter.query(&ADAPTER))
        };
        let name = desc.name.split(|unit| *unit == 0).next().unwrap_or_default();
        Some(Listed {
            name: String::from_utf16_lossy(name),
            is_hardware: desc.flags & SOFTWARE == 0,
            object: object.filter(|_| code >= 0)?,
            luid: u64::from(desc.luid[1]) << 32 | u64::from(desc.luid[0]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adapters_are_chosen_by_kind_number_and_name() {
        let found = [
            ("Basic Render Driver".to_owned(), false),
            ("NVIDIA RTX 4090".to_owned(), true),
        ];
        let chosen = |text: &str| match text.parse() {
            Ok(crate::choice::DeviceChoice::Real { adapter, .. }) => choose(&adapter, &found),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            ["hardware", "warp", "0", "1", "rtx"].map(chosen),
            [1, 0, 0, 1, 1].map(Some)
        );
        assert_eq!(["2", "radeon"].map(chosen), [None; 2]);
    }
}
