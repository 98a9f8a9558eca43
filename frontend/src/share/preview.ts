import type { Bytes } from '@/crypto/bytes'
import { make } from '@/lib/dom'
import { visible } from '@/lib/visible'
import type { ReadableFile } from '@/vault/files'

const maxImageBytes = 50_000_000
const maxPdfBytes = 50_000_000
const maxTextBytes = 200_000

const images = /\.(png|jpe?g|gif|webp|avif|bmp)$/i
const texts =
  /\.(txt|md|markdown|csv|tsv|json|xml|html?|xhtml|svg|css|m?js|jsx|tsx?|py|rb|go|rs|java|c|h|cpp|cs|php|sh|sql|ya?ml|toml|ini|cfg|conf|log|tex|srt|vtt|ics|vcf|eml)$/i

export type PreviewKind = 'image' | 'pdf' | 'text' | 'none'

/** By the name alone: nothing is fetched for a file that cannot be shown. What is shown is decided by the content. */
export function previewKind({ path, item }: ReadableFile): PreviewKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (item.size === 0) return 'none'
  if (images.test(name)) return item.size <= maxImageBytes ? 'image' : 'none'
  if (/\.pdf$/i.test(name)) return item.size <= maxPdfBytes ? 'pdf' : 'none'
  const isPlain = !name.slice(1).includes('.') && item.size <= maxTextBytes
  return isPlain || texts.test(name) ? 'text' : 'none'
}

/** Types that a browser decodes to pixels. SVG is none of them: it is a document that can hold scripts. */
const signatures: [type: string, at: number, bytes: string][] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavi'],
  ['image/bmp', 0, 'BM'],
]

export function imageType(begin: Uint8Array): string | null {
  const found = signatures.find(([, at, bytes]) => [...bytes].every((each, i) => begin[at + i] === each.charCodeAt(0)))
  return found?.[0] ?? null
}

/** The image as pixels, or null if the browser cannot decode it. */
export async function imagePreview(content: readonly Bytes[], label: string): Promise<HTMLElement | null> {
  const type = imageType(content[0] ?? new Uint8Array(0))
  if (!type) return null
  const image = make('img', { alt: label })
  const address = URL.createObjectURL(new Blob([...content], { type }))
  image.src = address
  try {
    await image.decode()
    return image
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(address)
  }
}

export type TextPreview = { text: string; isWhole: boolean }

/** The beginning as text, or null if it is none. Markup stays text, and hidden characters are shown. */
export function textPreview(begin: Uint8Array, size: number): TextPreview | null {
  const isWhole = size <= maxTextBytes
  const decoder = new TextDecoder(hasUtf16Mark(begin) ? 'utf-16' : 'utf-8', { fatal: true })
  let text: string
  try {
    // A character that is cut at the end is left out, not refused.
    text = decoder.decode(begin.subarray(0, maxTextBytes), { stream: !isWhole })
  } catch {
    return null
  }
  if (text.includes('\0')) return null
  return { text: text.replaceAll('\r\n', '\n').replaceAll(/[^\n\t]+/g, visible), isWhole }
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe
}
