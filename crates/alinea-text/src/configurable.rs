//! Configurations that can grow: `#[non_exhaustive]`, so that a new field breaks nobody's code, and changed by a closure.

/// Gives a configuration the method `with`, by which those who cannot name all of its fields set some.
#[doc(hidden)]
#[macro_export]
macro_rules! configurable {
    ($config:ty) => {
        impl $config {
            /// The same with some fields changed.
            #[must_use]
            pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
                change(&mut self);
                self
            }
        }
    };
}
