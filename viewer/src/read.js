// Blocks of data in the page: base64, each deflated on its own.

/** Trouble that is told to the reader of the page. */
export class PageError extends Error {}

/** @param {string} text base64 @returns {Uint8Array} */
function decodeBase64(text) {
  try {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    text = text.trim();
    const CHUNK = 4 << 18; // characters, a multiple of 4
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const bytes = new Uint8Array(text.length / 4 * 3 - padding);
    for (let i = 0, n = 0; i < text.length; i += CHUNK) {
      const piece = atob(text.slice(i, i + CHUNK));
      for (let k = 0; k < piece.length; ++k) bytes[n++] = piece.charCodeAt(k);
    }
    return bytes;
  } catch {
    throw new PageError('The data in this page are damaged: they are not valid base64. Make the report again.');
  }
}

/** Inflates one block. @param {string} name @param {Uint8Array} bytes @param {number} raw inflated length */
async function inflate(name, bytes, raw) {
  const damaged = why => new PageError(`The data in this page are damaged: ${why}. Make the report again.`);
  let buffer;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    buffer = await new Response(stream).arrayBuffer();
  } catch {
    throw damaged(`block ${name} cannot be inflated`);
  }
  if (buffer.byteLength !== raw) throw damaged(`block ${name} has ${buffer.byteLength} bytes instead of ${raw}`);
  return buffer;
}

/** The blocks of a page. */
export class Blocks {
  /** Reads the two data elements and removes them, as they may be large. @param {Document} document */
  constructor(document) {
    const headElement = document.getElementById('holonom-head');
    const dataElement = document.getElementById('holonom-data');
    let head;
    try {
      head = JSON.parse(headElement.textContent);
    } catch {
      throw new PageError('This page has no data. It is made by: holonom report RESULT -o report.html');
    }
    if (head.format !== 1) throw new PageError(`The data have format ${head.format}; this page reads format 1.`);
    if (typeof DecompressionStream === 'undefined') {
      throw new PageError('This browser cannot inflate data (DecompressionStream is missing). ' +
        'Chrome and Edge can from version 80, Firefox from 113, Safari from 16.4.');
    }
    this.table = new Map(Object.entries(head.blocks));
    this.bytes = decodeBase64(dataElement.textContent);
    dataElement.remove();
  }

  has(name) {
    return this.table.has(name);
  }

  /** @param {string} name @returns {Promise<ArrayBuffer>} */
  async buffer(name) {
    const block = this.table.get(name);
    if (!block) throw new PageError(`The data in this page are damaged: block ${name} is missing.`);
    if (block.offset + block.bytes > this.bytes.length) {
      throw new PageError(`The data in this page are damaged: block ${name} ends after the data. Make the report again.`);
    }
    return inflate(name, this.bytes.subarray(block.offset, block.offset + block.bytes), block.raw);
  }

  async json(name) {
    return JSON.parse(new TextDecoder().decode(await this.buffer(name)));
  }

  async float64(name) {
    return new Float64Array(await this.buffer(name));
  }

  /** Numbers stored as 8 planes of bytes. */
  async planes64(name) {
    const plane = new Uint8Array(await this.buffer(name)), n = plane.length / 8;
    const bytes = new Uint8Array(plane.length);
    for (let k = 0; k < 8; ++k) {
      for (let i = 0, from = k * n, to = k; i < n; ++i, to += 8) bytes[to] = plane[from + i];
    }
    return new Float64Array(bytes.buffer);
  }
}
