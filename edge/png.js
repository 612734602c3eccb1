// Packs pictures as PNG files. The platform deflates; what is left are four headers and their check sums, so no
// library is needed.

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const b of bytes) sum = table[(sum ^ b) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** @param {string} type @param {Uint8Array} data */
function chunk(type, data) {
  const out = new Uint8Array(data.length + 12);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(data.length + 8, checksum(out.subarray(4, data.length + 8)));
  return out;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {Uint8Array} palette three bytes a colour
 * @param {Uint8Array} rows pixels as numbers of colours, each row behind a byte that names its filter
 */
export async function png(width, height, palette, rows) {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 3], 8); // eight bits a pixel, which is a colour's number
  const deflate = new CompressionStream("deflate");
  const packed = new Response(deflate.readable).arrayBuffer();
  const input = deflate.writable.getWriter();
  input.write(rows).catch(() => {}); // what goes wrong is told by the other end
  input.close().catch(() => {});
  return new Blob([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", header), chunk("PLTE", palette), chunk("IDAT", new Uint8Array(await packed)), chunk("IEND", new Uint8Array()),
  ]).arrayBuffer();
}
