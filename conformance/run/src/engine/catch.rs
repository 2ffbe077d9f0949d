//! Catches panics of a backend, and turns each into a message.

use std::{
    cell::{Cell, RefCell},
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

static HOOK: Once = Once::new();

/// Runs code of a backend; a panic comes back as its message with file and line, and nothing is printed.
pub(super) fn catch<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(install);
    GUARDED.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(call));
    GUARDED.set(false);
    result.map_err(|_| MESSAGE.take().unwrap_or_else(|| "the backend panicked".to_owned()))
}

/// The hook is one for the whole process; panics outside [`catch`] go to the hook that was there before.
fn install() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !GUARDED.get() {
            return before(info);
        }
        let place = info
            .location()
            .map(|l| format!(" ({}:{})", l.file(), l.line()))
            .unwrap_or_default();
        let text = info.payload_as_str().unwrap_or("no message");
        MESSAGE.set(Some(format!("panicked: {text}{place}")));
    }));
}

#[cfg(test)]
mod tests {
    use crate::engine::catch::*;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(catch(|| 7), Ok(7));
        let message = catch(|| panic!("out of {}", "luck")).unwrap_err();
        assert!(
            message.contains("out of luck") && message.contains("catch.rs"),
            "{message}"
        );
    }
}
