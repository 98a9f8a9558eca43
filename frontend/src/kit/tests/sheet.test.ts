import { expect, it } from 'vitest'
import { toHex } from '@/vault/binary'
import { readSheetCode, readTypedEntry } from '../sheet'

const space = '64E508A1322341659' + '30EAF4B8FCFF669'
const hash = '1C3D9D4460E1F6928D8298DCCEB0EA9A'

it('reads the code and the spaces of a sheet', () => {
  const sheet = readSheetCode(`TESSERA-KIT:1:C.ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345:S.${space}.412.${hash}`)
  expect(sheet?.code).toBe('ABCD-EFGH-JKMN-PQRS-TVWX-YZ01-2345')
  const entry = sheet?.printed.get('64e508a1-3223-4165-930e-af4b8fcff669')
  expect(entry?.sequence).toBe(412)
  expect(toHex(entry!.hash)).toBe(hash.toLowerCase())
})

it('takes no other square code for a sheet', () => {
  for (const text of ['https://example.org', 'TESSERA-KIT:2:C.X', 'TESSERA-KIT:1:S.X.1.2', 'TESSERA-KIT:1:X'])
    expect(readSheetCode(text)).toBeNull()
})

it('reads what somebody types about a space', () => {
  expect(readTypedEntry(' 412 ', '1c3d 9d44 60e1 f692')?.sequence).toBe(412)
  for (const [sequence, digits] of [
    ['0', hash],
    ['x', hash],
    ['4', '1c3d'],
    ['4', `${hash}0`],
    ['4', 'z'.repeat(16)],
  ] as const)
    expect(readTypedEntry(sequence, digits)).toBeNull()
})
