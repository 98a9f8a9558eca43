import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { visible } from '@/lib/visible'
import { CallError } from './api'

/** The text for a problem's code in this language, or the program's own. */
export function useCodeText(): (problem: { code: string; message: string }) => string {
  const { t, i18n } = useTranslation('client')
  return ({ code, message }) => {
    const key = `errors.${code}`
    return code !== 'failed' && i18n.exists(`client:${key}`) ? t(key) : visible(message) || t('errors.failed')
  }
}

/** What went wrong with a call. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation('client')
  const codeText = useCodeText()
  return (error) => (error instanceof CallError ? codeText(error) : t('errors.unreachable'))
}

/** One action at a time, with its progress and its failure in words. */
export function useCall() {
  const textOf = useErrorText()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<{ code: string; text: string } | null>(null)

  async function run(action: () => Promise<unknown>): Promise<boolean> {
    setPending(true)
    setError(null)
    try {
      await action()
      return true
    } catch (failure) {
      setError({ code: failure instanceof CallError ? failure.code : '', text: textOf(failure) })
      return false
    } finally {
      setPending(false)
    }
  }

  return { run, isPending, error, clear: () => setError(null) }
}
