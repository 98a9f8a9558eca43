import { expect, it } from 'vitest'

type Texts = { [key: string]: string | Texts }

const english = import.meta.glob<Texts>('./locales/en/*.json', { eager: true, import: 'default' })
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../**/*.generated.ts'], {
  eager: true,
  import: 'default',
  query: '?raw',
})

const quoted = (text: string) => [...text.matchAll(/'([^']+)'/g)].map(([, name]) => name!)

function isText(namespace: string, key: string): boolean {
  let texts: string | Texts | undefined = english[`./locales/en/${namespace}.json`]
  const parts = key.split('.')
  const last = parts.pop()!
  for (const part of parts) texts = typeof texts === 'object' ? texts[part] : undefined
  return typeof texts === 'object' && (last in texts || `${last}_other` in texts)
}

/** The literal keys of a file that no namespace it names has. */
function missingKeys(source: string): string[] {
  const used = [...source.matchAll(/(?:useTranslation\(|TFunction<)(\[[^\]]*\]|'[^']*')/g)].flatMap(([, names]) =>
    quoted(names!),
  )
  const named = source.matchAll(/(?:keyPrefix: |TFunction<'[^']*', )'([^']+)'/g)
  const prefixes = ['', ...[...named].map(([, prefix]) => `${prefix}.`)]
  const keys = [...source.matchAll(/\bt\(\s*'([^'$]+)'/g)].map(([, key]) => key!)
  return keys.filter((key) => {
    const [namespace, own] = key.split(':') as [string, string?]
    if (own !== undefined) return !isText(namespace, own)
    return used.length > 0 && ![...used, 'common'].some((each) => prefixes.some((prefix) => isText(each, prefix + key)))
  })
}

it('finds every text that the console names', () => {
  const missing = Object.entries(sources).flatMap(([path, source]) =>
    missingKeys(source).map((key) => `${path}: ${key}`),
  )
  expect(missing).toEqual([])
})

it('would find a text that is missing', () => {
  expect(missingKeys("const { t } = useTranslation('members')\nt('no.such')\nt('common:nothing')")).toEqual([
    'no.such',
    'common:nothing',
  ])
  expect(missingKeys("const columns = (t: TFunction<'members'>) => t('no.such')")).toEqual(['no.such'])
})
