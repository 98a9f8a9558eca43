import { saveFile } from '@/lib/save-file'
import { useToastMutation } from './use-toast-mutation'

type Export = {
  /** The file's name, without date and ending. */
  file: string
  load: () => Promise<Blob>
  /** Shown when the server gives no message. */
  failure: string
}

/** Downloads a list as a spreadsheet. */
export function useCsvExport({ file, load, failure }: Export) {
  return useToastMutation(async () => saveFile(await load(), `${file}-${new Date().toISOString().slice(0, 10)}.csv`), {
    failure,
  })
}
