// A wasm file read as its sections: what its size and the order of its functions are told from.

/** The ids of the sections that are looked at. */
export const CUSTOM = 0;
const IMPORT = 2;
const CODE = 10;
/** Where the sections begin, behind the magic number and the version. */
export const HEAD_BYTES = 8;

/** The sections in order: the `id`, the bytes of the `whole` section, and a reader of its `content`. */
export function sectionsOf(wasm) {
  const reader = new Reader(wasm, HEAD_BYTES);
  const sections = [];
  while (reader.more()) {
    const start = reader.at;
    const id = reader.byte();
    const content = reader.part(reader.number());
    sections.push({ id, content, whole: wasm.subarray(start, reader.at) });
  }
  return sections;
}

/** The code of every function the file defines. */
export function bodiesOf(sections) {
  const content = contentOf(sections, CODE);
  const bodies = [];
  for (let left = content?.number() ?? 0; left > 0; left -= 1) bodies.push(content.bytes(content.number()));
  return bodies;
}

/** How many functions are imported: they come first in the numbering. */
export function importedFunctions(sections) {
  const content = contentOf(sections, IMPORT);
  let functions = 0;
  for (let left = content?.number() ?? 0; left > 0; left -= 1) {
    content.text();
    content.text();
    const kind = content.byte();
    if (kind === 0) {
      functions += 1;
      content.number();
    } else if (kind === 3) {
      content.bytes(2);
    } else {
      if (kind === 1) content.byte();
      const limits = content.byte();
      content.number();
      if ((limits & 1) === 1) content.number();
    }
  }
  return functions;
}

// a reader of its own for each who asks
function contentOf(sections, wanted) {
  const section = sections.find(({ id }) => id === wanted);
  return section === undefined ? undefined : new Reader(section.content.rest());
}

/** Bytes read from the front. */
export class Reader {
  #bytes;
  at;

  constructor(bytes, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  more() {
    return this.at < this.#bytes.length;
  }

  byte() {
    return this.#bytes[this.at++];
  }

  // unsigned LEB128
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  bytes(length) {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  rest() {
    return this.#bytes.subarray(this.at);
  }

  part(length) {
    return new Reader(this.bytes(length));
  }

  text() {
    return new TextDecoder().decode(this.bytes(this.number()));
  }
}
