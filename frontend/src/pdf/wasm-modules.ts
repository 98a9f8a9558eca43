import jbig2 from 'pdfjs-dist/wasm/jbig2.wasm?url&inline'
import openjpeg from 'pdfjs-dist/wasm/openjpeg.wasm?url&inline'

const modules: Partial<Record<string, string>> = { 'jbig2.wasm': jbig2, 'openjpeg.wasm': openjpeg }

/** Hands out the decoders that this script holds: the frame has no network. */
export class WasmModules {
  fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const [, content] = modules[filename]?.split(',', 2) ?? []
    if (content === undefined) return Promise.reject(new Error(filename))
    return Promise.resolve(Uint8Array.from(atob(content), (character) => character.charCodeAt(0)))
  }
}
