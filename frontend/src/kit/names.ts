import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '@/vault/binary'

const maxNameBytes = 255
const maxSuffixBytes = 16
const maxNumber = 9
const utf8 = new TextEncoder()

// Control characters, halves of surrogate pairs, and what means a folder, a drive or a stream on some system.
const unusable = /[\p{Cc}\p{Cs}/\\<>:"|?*]/gu
const device = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?$/is
// LONGNA~1.TXT is another name of a file that Windows has stored as longname.txt.
const shortName = /^[^.]{1,7}~[0-9]{1,6}(\.[^.]{0,3})?$/s
// Links to programs, lists of libraries, and class ids of Windows.
const refusedByBrowsers = /\.(lnk|local|scf|url|\{[^.]*\})$/is

/**
 * The name if every system can hold it, else a substitute that depends on it alone. What is restored may be opened on
 * another computer, so the rules of all systems count.
 */
export function safeName(name: string): string {
  let usable = name.replace(unusable, '_').replace(/[. ]+$/, '')
  if (device.test(usable)) usable = `_${usable}`
  else if (shortName.test(usable)) usable = usable.replace('~', '_')
  if (usable === '') usable = '_'
  return usable === name && bytesOf(name) <= maxNameBytes ? name : marked(usable, name)
}

/** For a browser that writes files itself: it refuses names that would let a file act on its own. */
export function browserSafeName(name: string): string {
  const safe = safeName(name)
  return refusedByBrowsers.test(safe) ? marked(`${safe}_`, name) : safe
}

/** Gives every path a place of its own: no two names in a folder are equal after case folding and normalization. */
export class SafePaths {
  /** What is written under another name. */
  readonly renamed: { path: string; name: string }[] = []
  readonly #found = new Map<string, string>([['', '']])
  readonly #taken = new Map<string, Set<string>>()

  constructor(readonly nameOf: (name: string) => string = safeName) {}

  /** The path to write to, with slashes between the names. */
  find(path: string): string {
    const found = this.#found.get(path)
    if (found !== undefined) return found
    const at = path.lastIndexOf('/')
    const parent = at < 0 ? '' : path.slice(0, at)
    const name = path.slice(at + 1)
    const above = this.find(parent)
    const chosen = this.#free(name, parent)
    if (chosen !== name) this.renamed.push({ path, name: chosen })
    const result = above === '' ? chosen : `${above}/${chosen}`
    this.#found.set(path, result)
    return result
  }

  #free(name: string, parent: string): string {
    const taken = this.#taken.get(parent) ?? new Set<string>()
    this.#taken.set(parent, taken)
    let chosen = this.nameOf(name)
    for (let number = 2; taken.has(fold(chosen)); number += 1) {
      chosen =
        number <= maxNumber ? this.#numbered(name, number) : marked(this.nameOf(name), `${taken.size + number}/${name}`)
    }
    taken.add(fold(chosen))
    return chosen
  }

  #numbered(name: string, number: number): string {
    const { stem, suffix } = split(this.nameOf(name))
    return this.nameOf(`${stem} (${number})${suffix}`)
  }
}

function fold(name: string): string {
  // Upper case first: ß, ſ and final sigma fold as others do.
  return name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC')
}

/** Adds a short hash, so that substitutes of different names differ, and shortens. */
function marked(usable: string, original: string): string {
  const { stem, suffix } = split(usable)
  const mark = `-${toHex(sha256(utf8.encode(original))).slice(0, 8)}${suffix}`
  let short = stem
  while (bytesOf(short) > maxNameBytes - bytesOf(mark)) short = [...short].slice(0, -1).join('')
  return short + mark
}

function split(name: string): { stem: string; suffix: string } {
  const at = name.lastIndexOf('.')
  const suffix = at > 0 ? name.slice(at) : ''
  if (bytesOf(suffix) > maxSuffixBytes) return { stem: name, suffix: '' }
  return { stem: name.slice(0, name.length - suffix.length), suffix }
}

function bytesOf(text: string): number {
  return utf8.encode(text).length
}
