import { saveFile } from '@/lib/save-file'
import { useToastMutation } from './use-toast-mutation'

type Export = {
  /** The file's name, without date and ending. */
  file: string
  ending?: 'csv' | 'zip'
  load: () => Promise<Blob>
  /** Shown when the server gives no message. */
  failure: string
}

/** Downloads a list as a spreadsheet, or several files at once. */
export function useExport({ file, ending = 'csv', load, failure }: Export) {
  return useToastMutation(
    async () => saveFile(await load(), `${file}-${new Date().toISOString().slice(0, 10)}.${ending}`),
    { failure },
  )
}
