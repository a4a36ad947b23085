//! Writes JSON text: any `serde::Serialize` type, and the strings and numbers that canonical text shares.
//!
//! Enters: data. Leaves: text without white space. A serializer of its own because the general one is several
//! times its size in the engine a browser loads; what JSON has no word for (bytes, 128 bits) is written `null`.

use std::fmt;

use serde::ser::{self, Impossible, Serialize, Serializer};

use super::decimal::shortest;
use super::exact_integer;
use super::plain::plain_length;

/// Writes `value` as JSON text.
#[must_use]
pub fn to_text<T: Serialize>(value: &T) -> String {
    written(value)
}

/// What can be written, whatever its type: one function writes it all.
trait Writable {
    fn write(&self, writer: &mut Writer) -> Written;
}

impl<T: Serialize> Writable for T {
    fn write(&self, writer: &mut Writer) -> Written {
        self.serialize(writer)
    }
}

fn written(value: &dyn Writable) -> String {
    let mut writer = Writer { out: String::new() };
    match value.write(&mut writer) {
        Ok(()) => writer.out,
        Err(Unwritable) => String::new(),
    }
}

/// Writes a string with its quotes; only what must be escaped is.
pub(crate) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    loop {
        let (plain, after) = rest.split_at_checked(plain_length(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(plain);
        let Some(byte) = after.bytes().next() else { break };
        out.push_str(match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\t' => "\\t",
            b'\n' => "\\n",
            b'\r' => "\\r",
            0x8 => "\\b",
            0xC => "\\f",
            byte if byte < 0x10 => "\\u000",
            _ => "\\u001",
        });
        if byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x8 | 0xC) {
            out.push(char::from_digit(u32::from(byte & 0xF), 16).unwrap_or('0'));
        }
        rest = after.get(1..).unwrap_or_default();
    }
    out.push('"');
}

/// Writes a number as ECMAScript does: shortest digits that read back, plain from 1e-6 up to 1e21.
pub(crate) fn write_number(out: &mut String, number: f64) {
    if let Some(integer) = exact_integer(number) {
        return write_integer(out, integer < 0, integer.unsigned_abs()); // -0 is 0 here
    }
    if !number.is_finite() {
        // JSON has no word for it; JSON.stringify says null, and no input that holds one is ever prepared
        return out.push_str("null");
    }
    let (digits, exponent) = shortest(number);
    let mut written = String::new();
    write_integer(&mut written, false, digits);
    let count = i32::try_from(written.len()).unwrap_or(0);
    let point = count + exponent;
    if number < 0.0 {
        out.push('-');
    }
    // how many digits stand before the point, and how many zeros between
    let (before, zeros, shown) = match point {
        1..=21 => (point, 0, 0),
        -5..=0 => (0, -point, 0),
        _ => (1, 0, point - 1),
    };
    let (whole, fraction) = written.split_at_checked(usize::try_from(before).unwrap_or(0)).unwrap_or((&written, ""));
    out.push_str(if whole.is_empty() { "0" } else { whole });
    for _ in count..before {
        out.push('0');
    }
    if !fraction.is_empty() {
        out.push('.');
        for _ in 0..zeros {
            out.push('0');
        }
        out.push_str(fraction);
    }
    if shown != 0 {
        out.push_str(if shown < 0 { "e" } else { "e+" });
        write_integer(out, shown < 0, u64::from(shown.unsigned_abs()));
    }
}

/// Writes a whole number.
pub(crate) fn write_integer(out: &mut String, is_negative: bool, mut size: u64) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + u8::try_from(size % 10).unwrap_or(0);
        size /= 10;
        first -= 1;
        if size == 0 {
            break;
        }
    }
    if is_negative {
        out.push('-');
    }
    out.push_str(digits.get(first..).and_then(|digits| std::str::from_utf8(digits).ok()).unwrap_or_default());
}

struct Writer {
    out: String,
}

/// What cannot be written; says no more, as nobody would read it.
#[derive(Debug)]
struct Unwritable;

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("this has no form in JSON")
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: fmt::Display>(_: T) -> Unwritable {
        Unwritable
    }
}

type Written = Result<(), Unwritable>;

/// A list or an object that is being written.
struct Open<'w> {
    writer: &'w mut Writer,
    close: &'static str,
    is_first: bool,
}

impl<'w> Open<'w> {
    fn new(writer: &'w mut Writer, open: char, close: &'static str) -> Open<'w> {
        writer.out.push(open);
        Open { writer, close, is_first: true }
    }

    fn next(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.writer.out.push(',');
        }
    }

    fn key(&mut self, key: &str) {
        self.next();
        write_string(&mut self.writer.out, key);
        self.writer.out.push(':');
    }

    fn close(self) -> Written {
        self.writer.out.push_str(self.close);
        Ok(())
    }
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Open<'w>;
    type SerializeTuple = Open<'w>;
    type SerializeTupleStruct = Impossible<(), Unwritable>;
    type SerializeTupleVariant = Impossible<(), Unwritable>;
    type SerializeMap = Open<'w>;
    type SerializeStruct = Open<'w>;
    type SerializeStructVariant = Open<'w>;

    fn serialize_bool(self, value: bool) -> Written {
        self.out.push_str(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Written {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i16(self, value: i16) -> Written {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i32(self, value: i32) -> Written {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i64(self, value: i64) -> Written {
        write_integer(&mut self.out, value < 0, value.unsigned_abs());
        Ok(())
    }

    fn serialize_u8(self, value: u8) -> Written {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u16(self, value: u16) -> Written {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u32(self, value: u32) -> Written {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u64(self, value: u64) -> Written {
        write_integer(&mut self.out, false, value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Written {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Written {
        write_number(&mut self.out, value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Written {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Written {
        write_string(&mut self.out, value);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Written {
        self.serialize_unit()
    }

    fn serialize_none(self) -> Written {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(self, _: &'static str, _: u32, variant: &'static str, value: &T) -> Written {
        let mut open = Open::new(self, '{', "}");
        open.key(variant);
        value.serialize(&mut *open.writer)?;
        open.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'w>, Unwritable> {
        Ok(Open::new(self, '[', "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'w>, Unwritable> {
        Ok(Open::new(self, '[', "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        Err(Unwritable)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'w>, Unwritable> {
        Ok(Open::new(self, '{', "}"))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open<'w>, Unwritable> {
        Ok(Open::new(self, '{', "}"))
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, variant: &'static str, _: usize) -> Result<Open<'w>, Unwritable> {
        let mut open = Open::new(self, '{', "}}");
        open.key(variant);
        open.writer.out.push('{');
        open.is_first = true;
        Ok(open)
    }
}

impl ser::SerializeSeq for Open<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.next();
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeTuple for Open<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeMap for Open<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.next();
        key.serialize(&mut *self.writer)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.writer.out.push(':');
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeStruct for Open<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.key(key);
        value.serialize(&mut *self.writer)
    }

    fn end(self) -> Written {
        self.close()
    }
}

impl ser::SerializeStructVariant for Open<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        ser::SerializeStruct::serialize_field(self, key, value)
    }

    fn end(self) -> Written {
        self.close()
    }
}
