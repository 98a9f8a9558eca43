import {
  AnnotationMode,
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { FromFrame, ToFrame } from './messages'
import { WasmModules } from './wasm-modules'

/** Pages and pictures above these sizes are drawn smaller, or not at all, so that no file can take all memory. */
const maxCanvasPixels = 16_000_000
const maxImagePixels = 64_000_000
const margin = 24

/** Draws one page at a time, as pixels: no links, no forms, no scripts of the file. The page around it says which. */
export function startFrame(script: string): void {
  const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  GlobalWorkerOptions.workerPort = new Worker(address)
  window.addEventListener('message', ({ source, data, ports: [port] }: MessageEvent<ToFrame>) => {
    if (source === window.parent && data.type === 'open' && port) void open(data.bytes, port)
  })
}

async function open(bytes: Uint8Array, port: MessagePort): Promise<void> {
  const tell = (message: FromFrame) => {
    port.postMessage(message)
  }
  try {
    const file = await getDocument({
      data: bytes,
      isEvalSupported: false,
      enableXfa: false,
      maxImageSize: maxImagePixels,
      // What decodes the pictures of scanned pages is in this script.
      wasmUrl: '/',
      WasmFactory: WasmModules,
      useWorkerFetch: false,
      verbosity: 0,
    }).promise
    const view = new PageView(file)
    port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
      if (data.type !== 'show') return
      view.show(data.page, data.zoom).then(
        () => {
          tell({ type: 'shown', page: data.page })
        },
        () => {
          tell({ type: 'failed', reason: 'damaged' })
        },
      )
    }
    tell({ type: 'opened', pages: file.numPages })
  } catch (error) {
    tell({
      type: 'failed',
      reason: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'damaged',
    })
  }
}

class PageView {
  #drawing: Promise<unknown> = Promise.resolve()
  #task: RenderTask | null = null
  #wanted = 0

  constructor(readonly file: PDFDocumentProxy) {}

  /** The last page that was wanted is drawn; those before it are given up. */
  async show(number: number, zoom: number): Promise<void> {
    this.#wanted += 1
    const wanted = this.#wanted
    this.#task?.cancel()
    await this.#drawing.catch(() => undefined)
    if (wanted !== this.#wanted) return
    this.#drawing = this.#draw(number, zoom, () => wanted === this.#wanted)
    await this.#drawing
  }

  async #draw(number: number, zoom: number, isWanted: () => boolean): Promise<void> {
    const page = await this.file.getPage(number)
    const canvas = document.createElement('canvas')
    const shown = page.getViewport({ scale: fittingScale(page) * zoom })
    const area = shown.width * shown.height
    const sharpness = Math.min(devicePixelRatio, Math.sqrt(maxCanvasPixels / area))
    const viewport = page.getViewport({ scale: shown.scale * sharpness })
    canvas.width = Math.max(1, Math.floor(viewport.width))
    canvas.height = Math.max(1, Math.floor(viewport.height))
    canvas.dataset.page = String(number)
    canvas.style.width = `${shown.width}px`
    canvas.style.height = `${shown.height}px`
    // Filled forms and notes as pixels; what they would do is left out.
    this.#task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE })
    try {
      await this.#task.promise
    } catch (error) {
      if (isWanted()) throw error
      return
    } finally {
      page.cleanup()
    }
    document.body.replaceChildren(canvas)
    scrollTo(0, 0)
  }
}

function fittingScale(page: PDFPageProxy): number {
  const { width } = page.getViewport({ scale: 1 })
  return Math.max(100, document.documentElement.clientWidth - margin) / width
}
