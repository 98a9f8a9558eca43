import { ZSTDDecoder } from 'zstddec'
import { type Bytes } from '@/crypto/bytes'
import { malformed } from './errors'

const magic = 0xfd2fb528
const checksumBytes = 4
const blockHeaderBytes = 3
const repeatedBlock = 1
const windowMaximum = 2 ** 27
const decoder = /* @__PURE__ */ new ZSTDDecoder()

/** Unpacks one Zstandard frame that gives exactly so many bytes, and announces them. */
export async function unpack(frame: Bytes, size: number): Promise<Bytes> {
  checkFrame(frame, size)
  await decoder.init()
  const chunk = decoder.decode(frame, size)
  if (chunk.length !== size) throw malformed('A frame does not hold what it announces.')
  return chunk as Bytes
}

/** One frame of the announced size, without a dictionary, and nothing behind it. */
function checkFrame(frame: Bytes, size: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (frame.length < 6 || view.getUint32(0, true) !== magic) throw malformed('This is no Zstandard frame.')
  const descriptor = view.getUint8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  if ((descriptor & 3) !== 0) throw malformed('A frame has a field for a dictionary.')
  if (!isSingleSegment && windowOf(view.getUint8(5)) > windowMaximum)
    throw malformed('The window of a frame is too large.')
  const sizeAt = isSingleSegment ? 5 : 6
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 2 ** sizeFlag
  if (frame.length < sizeAt + sizeBytes || announcedSize(view, sizeAt, sizeBytes) !== size) {
    throw malformed('A frame announces another size.')
  }
  const end = endOfBlocks(frame, sizeAt + sizeBytes) + ((descriptor & 4) !== 0 ? checksumBytes : 0)
  if (end !== frame.length) throw malformed('Something follows a frame, or it is cut off.')
}

function windowOf(described: number): number {
  const base = 2 ** (10 + (described >> 3))
  return base + (base / 8) * (described & 7)
}

function announcedSize(view: DataView, at: number, bytes: number): number | null {
  switch (bytes) {
    case 1:
      return view.getUint8(at)
    case 2:
      return view.getUint16(at, true) + 256
    case 4:
      return view.getUint32(at, true)
    case 8:
      return Number(view.getBigUint64(at, true))
    default:
      return null
  }
}

function endOfBlocks(frame: Bytes, start: number): number {
  for (let at = start; ;) {
    const [low = 0, middle = 0, high = 0] = frame.subarray(at, at + blockHeaderBytes)
    const isLast = (low & 1) !== 0
    const stored = ((low >> 1) & 3) === repeatedBlock ? 1 : (low | (middle << 8) | (high << 16)) >> 3
    at += blockHeaderBytes + stored
    if (at > frame.length) throw malformed('A frame is cut off.')
    if (isLast) return at
  }
}
