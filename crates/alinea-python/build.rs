//! What a linker must be told to make a module of Python without a tool that knows how: on macOS, that Python's functions
//! come later.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
