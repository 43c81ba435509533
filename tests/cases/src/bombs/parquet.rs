//! Files in Parquet in which each column has one value, in a dictionary, and pages that claim what they want.

/// A column with one value.
pub(super) struct Column {
    pub(super) name: &'static str,
    /// The size of the value, which is a comment.
    pub(super) size: u64,
    pub(super) claims: Claims,
}

/// What the header of the dictionary claims instead of the truth.
#[derive(Clone, Copy, Default)]
pub(super) struct Claims {
    pub(super) bytes: Option<i32>,
    pub(super) values: Option<i32>,
}

/// A structure in the compact protocol of Thrift.
#[derive(Default)]
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn size(length: usize) -> i32 {
    i32::try_from(length).expect("it is small")
}

fn signed(out: &mut Vec<u8>, value: i64) {
    number(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

impl Struct {
    fn head(&mut self, field: u8, kind: u8) -> &mut Vec<u8> {
        self.bytes.push((field - self.last) << 4 | kind);
        self.last = field;
        &mut self.bytes
    }

    fn int(mut self, field: u8, value: impl Into<i64>) -> Self {
        signed(self.head(field, 5), value.into());
        self
    }

    fn long(mut self, field: u8, value: u64) -> Self {
        signed(self.head(field, 6), value.cast_signed());
        self
    }

    fn text(mut self, field: u8, text: &str) -> Self {
        let out = self.head(field, 8);
        number(out, text.len() as u64);
        out.extend(text.as_bytes());
        self
    }

    fn inner(mut self, field: u8, inner: Self) -> Self {
        self.head(field, 12).extend(inner.end());
        self
    }

    fn list(mut self, field: u8, kind: u8, items: &[Vec<u8>]) -> Self {
        let out = self.head(field, 9);
        out.push((items.len() as u8) << 4 | kind);
        out.extend(items.iter().flatten());
        self
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

const ZSTD: i32 = 6;
const RLE_DICTIONARY: i32 = 8;

/// A frame of Zstandard: some bytes, and then one byte many times.
fn zstd(start: &[u8], byte: u8, mut times: u64) -> Vec<u8> {
    // The magic number, no flags, and a window of 128 KiB.
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    let block = |out: &mut Vec<u8>, is_last: bool, kind: u32, size: u64| {
        let head = u32::from(is_last) | kind << 1 | (size as u32) << 3;
        out.extend(&head.to_le_bytes()[..3]);
    };
    block(&mut out, times == 0, 0, start.len() as u64);
    out.extend(start);
    while times > 0 {
        let count = times.min(128 << 10);
        times -= count;
        block(&mut out, times == 0, 1, count);
        out.push(byte);
    }
    out
}

/// A file with equal rows.
pub(super) fn file(rows: u64, columns: &[Column]) -> Vec<u8> {
    let mut out = b"PAR1".to_vec();
    let mut chunks = Vec::new();
    for column in columns {
        let start = out.len() as u64;
        let mut value = (column.size as u32).to_le_bytes().to_vec();
        value.extend((column.size > 0).then_some(b'#'));
        let dictionary = zstd(&value, b'x', column.size.saturating_sub(1));
        let kind = Struct::default().int(1, column.claims.values.unwrap_or(1)).int(2, 0);
        let page = Struct::default()
            .int(1, 2)
            .int(2, column.claims.bytes.unwrap_or(column.size as i32 + 4))
            .int(3, size(dictionary.len()))
            .inner(7, kind);
        out.extend(page.end());
        out.extend(&dictionary);
        let data_start = out.len() as u64;
        // The width of numbers in bits, and one run of zeros.
        let mut run = vec![1];
        number(&mut run, rows << 1);
        run.push(0);
        let data = zstd(&run, 0, 0);
        let kind = Struct::default().int(1, rows as i32).int(2, RLE_DICTIONARY).int(3, 3).int(4, 3);
        let page =
            Struct::default().int(1, 0).int(2, size(run.len())).int(3, size(data.len())).inner(5, kind);
        out.extend(page.end());
        out.extend(&data);
        let stored = out.len() as u64 - start;
        let encodings = [0, 3, RLE_DICTIONARY].map(|encoding| {
            let mut out = Vec::new();
            signed(&mut out, encoding.into());
            out
        });
        let mut path = Vec::new();
        number(&mut path, column.name.len() as u64);
        path.extend(column.name.as_bytes());
        let metadata = Struct::default()
            .int(1, 6)
            .list(2, 5, &encodings)
            .list(3, 8, &[path])
            .int(4, ZSTD)
            .long(5, rows)
            .long(6, stored)
            .long(7, stored)
            .long(9, data_start)
            .long(11, start);
        chunks.push(Struct::default().long(2, start).inner(3, metadata).end());
    }
    let root = Struct::default().text(4, "schema").int(5, size(columns.len())).end();
    let of = |column: &Column| Struct::default().int(1, 6).int(3, 0).text(4, column.name).int(6, 0).end();
    let schema: Vec<Vec<u8>> = std::iter::once(root).chain(columns.iter().map(of)).collect();
    let group = Struct::default().list(1, 12, &chunks).long(2, out.len() as u64).long(3, rows).end();
    let footer = Struct::default().int(1, 1).list(2, 12, &schema).long(3, rows).list(4, 12, &[group]).end();
    out.extend(&footer);
    out.extend((footer.len() as u32).to_le_bytes());
    out.extend(b"PAR1");
    out
}
