import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const folder = resolve('node_modules/.fonts')
const subsetFace = /url\('@fonts\/([^']+)\.(\w+)\.woff2'\)[^}]*unicode-range:([^;]+);/g
const options = {
  targetFormat: 'woff2' as const,
  variationAxes: { wght: { min: 400, max: 700 } },
  // Figures of equal width, and what a browser applies by itself, except contextual alternates: 4 KB of Inter.
  keepFeatures: 'ccmp fina init kern liga locl mark medi mkmk rlig tnum'.split(' '),
}

/** Makes the fonts that `src/theme/fonts.css` calls `@fonts/{path in node_modules}.{subset}.woff2`, with just the
 *  characters it lists for them: less than half of the size. */
export function subsetFonts(): Plugin {
  return {
    name: 'tessera:subset-fonts',
    apply: () => !process.env.VITEST,
    async config() {
      const faces = (await readFile('src/theme/fonts.css', 'utf8')).matchAll(subsetFace)
      await Promise.all(
        Array.from(faces, ([, source = '', name = '', ranges = '']) => subset(source, name, characters(ranges))),
      )
      return { resolve: { alias: { '@fonts': folder } } }
    },
  }
}

async function subset(source: string, name: string, text: string): Promise<void> {
  const font = await subsetFont(await readFile(`node_modules/${source}.woff2`), text, options)
  const file = `${folder}/${source}.${name}.woff2`
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, font)
}

/** The characters of a list such as `U+0020-007E, U+00A0`. */
export function characters(ranges: string): string {
  return Array.from(ranges.matchAll(/U\+(\w+)(?:-(\w+))?/g), ([, first = '', last = first]) => {
    const start = parseInt(first, 16)
    return String.fromCodePoint(...Array.from({ length: parseInt(last, 16) - start + 1 }, (_, index) => start + index))
  }).join('')
}
