import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Puts script and style of a build into a page that allows nothing else, and is opened from disk. */
export function oneFile(template: string, fileName: string, version: string): Plugin {
  return {
    name: 'tessera:one-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = ''
      let style = ''
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code.trim()
        else if (name.endsWith('.css')) style += String(file.source).trim()
        else throw new Error(`${name} cannot be put into ${fileName}.`)
        Reflect.deleteProperty(bundle, name)
      }
      // An end tag within a text would end the script; in JavaScript both spellings are the same text.
      script = script.replaceAll('</script', String.raw`<\/script`).replaceAll('<!--', String.raw`<\!--`)
      const policy = [
        "default-src 'none'",
        `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
        `style-src ${hashOf(style)}`,
        // A module of WebAssembly that is in the script itself.
        'connect-src data:',
        'worker-src blob:',
        'media-src blob:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ')
      const page = readFileSync(template, 'utf8')
        .replace('__POLICY__', policy)
        .replace('__VERSION__', version)
        .replace(/<style>[^<]*<\/style>/, () => `<style>${style}</style>`)
        .replace(/<script>[^<]*<\/script>/, () => `<script>${script}</script>`)
      this.emitFile({ type: 'asset', fileName, source: page })
    },
  }
}
