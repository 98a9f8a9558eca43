import { fromHex } from '@/vault/binary'
import type { PrintedEntry } from '@/vault/entry-tree'

const start = 'TESSERA-KIT:1:'
const entry = /^([0-9A-F]{8})([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{12})\.([0-9]{1,15})\.([0-9A-F]{32})$/
const code = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){6}$/
/** 64 bits: nobody makes another entry that begins with them. */
const minHashDigits = 16

export type ScannedSheet = { code: string | null; printed: Map<string, PrintedEntry> }

/** What a QR code of the sheet says, in the form that client/tessera_client/vault/kit_sheet.py writes; else null. */
export function readSheetCode(text: string): ScannedSheet | null {
  if (!text.startsWith(start)) return null
  const sheet: ScannedSheet = { code: null, printed: new Map() }
  for (const part of text.slice(start.length).split(':')) {
    if (part.startsWith('C.') && code.test(part.slice(2))) sheet.code = part.slice(2)
    else if (part.startsWith('S.')) {
      const [, one, two, three, four, five, sequence, hash = ''] = entry.exec(part.slice(2)) ?? []
      if (!sequence) return null
      const space = [one, two, three, four, five].join('-').toLowerCase()
      sheet.printed.set(space, { sequence: Number(sequence), hash: fromHex(hash.toLowerCase()) })
    } else return null
  }
  return sheet
}

/** What somebody typed from the sheet about a space; null if it is no entry's number and hash. */
export function readTypedEntry(sequence: string, hash: string): PrintedEntry | null {
  const digits = hash.toLowerCase().replaceAll(/[\s-]/g, '')
  if (!/^[1-9][0-9]{0,14}$/.test(sequence.trim()) || !/^[0-9a-f]{0,64}$/.test(digits)) return null
  if (digits.length < minHashDigits || digits.length % 2 !== 0) return null
  return { sequence: Number(sequence), hash: fromHex(digits) }
}
