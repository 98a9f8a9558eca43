import decodeQR from 'qr/decode.js'
import { readSheetCode, type ScannedSheet } from './sheet'

type Detector = { detect: (image: ImageBitmapSource) => Promise<{ rawValue: string }[]> }
type DetectorType = new (options: { formats: string[] }) => Detector

const maxPixels = 2000
const pause = 150

/** The sheet's codes in a picture. */
export async function readPicture(file: Blob): Promise<ScannedSheet[]> {
  const image = await createImageBitmap(file)
  try {
    return sheetsOf(await textsIn(image, image.width, image.height))
  } finally {
    image.close()
  }
}

/** Shows the camera in `video` and hands out each sheet's code that it sees, until the signal. */
export async function watchCamera(
  video: HTMLVideoElement,
  onSheet: (sheet: ScannedSheet) => void,
  signal: AbortSignal,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  try {
    video.srcObject = stream
    await video.play()
    while (!signal.aborted) {
      for (const sheet of sheetsOf(await textsIn(video, video.videoWidth, video.videoHeight))) onSheet(sheet)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
  }
}

function sheetsOf(texts: readonly string[]): ScannedSheet[] {
  return texts.map(readSheetCode).filter((sheet) => sheet !== null)
}

async function textsIn(image: HTMLVideoElement | ImageBitmap, width: number, height: number): Promise<string[]> {
  if (width === 0 || height === 0) return []
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorType }
  if (BarcodeDetector) {
    try {
      const found = await new BarcodeDetector({ formats: ['qr_code'] }).detect(image)
      if (found.length > 0) return found.map(({ rawValue }) => rawValue)
    } catch {
      // Where the system has no detector; our own reads the picture.
    }
  }
  const scale = Math.min(1, maxPixels / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return []
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  try {
    return [decodeQR(context.getImageData(0, 0, canvas.width, canvas.height), { timeLimit: 500 })]
  } catch {
    // The library throws where it finds none.
    return []
  }
}
