import { crc32, deflateSync } from 'node:zlib';

/** The digits in three by five dots, one number of three bits per row. */
const glyphs: Readonly<Record<string, readonly number[]>> = {
  '0': [7, 5, 5, 5, 7],
  '1': [2, 6, 2, 2, 7],
  '2': [7, 1, 7, 4, 7],
  '3': [7, 1, 7, 1, 7],
  '4': [5, 5, 7, 1, 1],
  '5': [7, 4, 7, 1, 7],
  '6': [7, 4, 7, 5, 7],
  '7': [7, 1, 1, 2, 2],
  '8': [7, 5, 7, 5, 7],
  '9': [7, 5, 7, 1, 7],
};
const dot = 8;
const ink = 0;
const paper = 255;

/** A PNG (ISO 15948, grey, eight bits) that shows digits, black on white. */
export function digitsAsPng(digits: string): Buffer {
  const columns = [...digits].length * 4 + 1;
  const width = columns * dot;
  const height = 7 * dot;
  const pixels = Buffer.alloc((width + 1) * height, paper);
  for (let y = 0; y < height; y++) {
    // Each line begins with the number of its filter: 0 for none.
    const line = y * (width + 1);
    pixels[line] = 0;
    for (let x = 0; x < width; x++) {
      if (isInk(digits, Math.floor(x / dot), Math.floor(y / dot))) pixels[line + 1 + x] = ink;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function isInk(digits: string, column: number, row: number): boolean {
  const digit = digits[Math.floor((column - 1) / 4)] ?? '';
  const inDigit = (column - 1) % 4;
  const bits = glyphs[digit]?.[row - 1];
  return column > 0 && inDigit < 3 && bits !== undefined && ((bits >> (2 - inDigit)) & 1) === 1;
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}
