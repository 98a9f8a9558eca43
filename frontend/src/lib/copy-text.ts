import { toast } from '@/components/toast'

/** Copies to the clipboard; a toast says whether it worked. */
export async function copyText(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error(failed)
  }
}
