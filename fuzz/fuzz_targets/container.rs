//! Containers are read or refused, damaged or whole; arrays that are copied into another are the same there.

use alinea_fuzz::{NAME, container};
use alinea_text::storage::{Container, ContainerWriter};

pub(crate) fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    container::mutate(data, size, most, seed)
}

pub(crate) fn fuzz(data: &[u8]) {
    let Ok(container) = read(data) else { return };
    let mut writer = ContainerWriter::new(container.text().to_owned());
    let whole = container.check().is_empty();
    for name in container.names() {
        let _ = (container.section::<u8>(name), container.section::<u64>(name), container.section::<[u32; 2]>(name));
        let copied = writer.copy(&container, name);
        assert!(copied.is_ok() || !whole);
    }
    let mut bytes = Vec::new();
    if writer.write(&mut bytes).is_ok() && whole {
        let again = read(&bytes).expect("what was written is read");
        assert_eq!((again.text(), again.check().len()), (container.text(), 0));
        assert_eq!(again.names().len(), container.names().len());
    }
}

fn read(mut bytes: &[u8]) -> alinea::error::Result<Container> {
    Container::of_stream(NAME.to_owned(), &mut bytes)
}
