import './pdf.css'
import { startFrame } from './frame'

// One script is the frame and its worker: it may load no other.
const script = typeof document === 'undefined' ? null : document.currentScript
if (script) startFrame(script.textContent)
else void import('pdfjs-dist/legacy/build/pdf.worker.mjs')
