import { expect, it } from 'vitest'
import { unpack } from '../compression'

const size = 500
const magic = [0x28, 0xb5, 0x2f, 0xfd]
const announced = [size & 0xff, size >> 8, 0, 0]
const block = (size << 3) | 3
const zeros = [block & 0xff, block >> 8, 0, 0]
const largestWindow = (27 - 10) << 3

it('takes the largest window and refuses the next one', async () => {
  const frame = (window: number) => Uint8Array.from([...magic, 0x80, window, ...announced, ...zeros])
  expect(await unpack(frame(largestWindow), size)).toEqual(new Uint8Array(size))
  await expect(unpack(frame(largestWindow + 1), size)).rejects.toThrow('window')
})

it('refuses a field for a dictionary, even of number 0', async () => {
  const frame = Uint8Array.from([...magic, 0xa1, 0, ...announced, ...zeros])
  await expect(unpack(frame, size)).rejects.toThrow('dictionary')
})
