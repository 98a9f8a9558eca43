/** What the page of a share and the frame that draws PDF files tell each other. Neither believes the other. */
export type ToFrame = { type: 'open'; bytes: Uint8Array } | { type: 'show'; page: number; zoom: number }

export type FromFrame =
  { type: 'opened'; pages: number } | { type: 'shown'; page: number } | { type: 'failed'; reason: PdfProblem }

export type PdfProblem = 'damaged' | 'locked'
