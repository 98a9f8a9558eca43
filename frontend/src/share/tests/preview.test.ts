import { describe, expect, it } from 'vitest'
import type { FileItem } from '@/vault/items'
import { imageType, previewKind, textPreview } from '../preview'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf8 = (text: string) => new TextEncoder().encode(text)
const file = (path: string, size = 10) => ({ path, item: { type: 'file', size } as FileItem })

describe('the kind of a preview', () => {
  it.each([
    ['a/photo.JPG', 'image'],
    ['page.html', 'text'],
    ['drawing.svg', 'text'],
    ['README', 'text'],
    ['Report.PDF', 'pdf'],
    ['movie.mp4', 'none'],
    ['archive.tar.gz', 'none'],
  ])('%s is %s', (path, kind) => expect(previewKind(file(path))).toBe(kind))

  it('shows no empty file and no huge picture or PDF', () => {
    expect(previewKind(file('a.pdf', 60_000_000))).toBe('none')
    expect(previewKind(file('a.png', 0))).toBe('none')
    expect(previewKind(file('a.png', 60_000_000))).toBe('none')
  })
})

describe('a picture', () => {
  it('is what its first bytes say, never what its name says', () => {
    expect(imageType(bytes('\x89PNG\r\n\x1a\n....'))).toBe('image/png')
    expect(imageType(bytes('RIFF....WEBPVP8 '))).toBe('image/webp')
    expect(imageType(bytes('<svg onload="alert(1)">'))).toBeNull()
    expect(imageType(bytes('<!doctype html>'))).toBeNull()
    expect(imageType(new Uint8Array(0))).toBeNull()
  })
})

describe('a text', () => {
  it('stays text, with hidden characters shown', () => {
    const preview = textPreview(utf8('<script>alert(1)</script>\r\n\tif \u202e}'), 40)
    expect(preview).toEqual({ text: '<script>alert(1)</script>\n\tif \\u202e}', isWhole: true })
  })

  it('is none if it is not a text', () => {
    expect(textPreview(bytes('\xff\xd8\xff\xe0'), 4)).toBeNull()
    expect(textPreview(bytes('a\0b'), 3)).toBeNull()
  })

  it('is cut without refusing a character that is cut', () => {
    const preview = textPreview(utf8(`a${'ü'.repeat(200_000)}`), 400_001)
    expect(preview?.isWhole).toBe(false)
    expect(preview?.text.endsWith('ü')).toBe(true)
  })
})
