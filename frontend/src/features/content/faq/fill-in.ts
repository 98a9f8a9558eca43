export type Values = Record<string, string>

/** Typed in by hand, so only what names may hold is kept. */
const cleaned = (text = '') => text.replace(/[^A-Za-z0-9._/-]/g, '')

/** `{name}` becomes a value, `{path/}` the path with a slash behind it; lines with `{path}` need one. */
export function fillIn(snippet: string, values: Values): string {
  const path = cleaned(values.path).split('/').filter(Boolean).join('/')
  const lines = snippet.split('\n').filter((line) => path || !line.includes('{path}'))
  return lines
    .join('\n')
    .replaceAll('{path/}', path ? `${path}/` : '')
    .replaceAll('{path}', path)
    .replace(/\{(\w+)\}/g, (_, name: string) => cleaned(values[name]))
}
