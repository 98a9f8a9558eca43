export const clouds = ['Dropbox', 'AWS S3', 'Azure', 'Google Cloud'] as const
export type Cloud = (typeof clouds)[number]

/** p mountain, s sun, t hills, . sky */
const picture = [
  '..............',
  '..............',
  '..........ss..',
  '....p....ssss.',
  '...ppp...ssss.',
  '..ppppp...ss..',
  '.ppppppp...p..',
  'ppppppppp.ppp.',
  'tppppppppppppt',
  'ttttpppttttttt',
  'tttttttttttttt',
]

export const columns = 14
export const rows = picture.length

export type Tile = { x: number; y: number; kind: string; shade: number; homes: readonly [Cloud, Cloud] }

/** Each tile is in two of the four clouds, so that no tile is lost if one cloud fails. */
const homes: readonly (readonly [Cloud, Cloud])[] = [
  ['Dropbox', 'AWS S3'],
  ['Azure', 'Google Cloud'],
  ['AWS S3', 'Google Cloud'],
  ['Dropbox', 'Azure'],
  ['AWS S3', 'Azure'],
  ['Dropbox', 'Google Cloud'],
]

export const tiles: readonly Tile[] = picture.flatMap((row, y) =>
  [...row].map((kind, x) => ({
    x,
    y,
    kind,
    shade: (x * 7 + y * 3 + x * y) % 3,
    homes: homes[(x * 5 + y * 7 + ((x * y) % 4)) % homes.length] ?? ['Dropbox', 'AWS S3'],
  })),
)

export function isHeld(tile: Tile, gone: ReadonlySet<Cloud>): boolean {
  return tile.homes.some((home) => !gone.has(home))
}

const hex = '0123456789abcdef'

/** What an intruder would see: random letters, the same each time, so that nothing flickers. */
export function noiseOf(cloud: Cloud, length: number): string {
  let state = [...cloud].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  let noise = ''
  for (let index = 0; index < length; index += 1) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    noise += hex.charAt(state >>> 28)
  }
  return noise
}
