import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from './api'

/** What went wrong, in this language if there is a text for it. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation('client')
  return (error) => {
    if (!(error instanceof CallError)) return t('errors.unreachable')
    const key = `errors.${error.code}`
    return i18n.exists(`client:${key}`) ? t(key) : error.message || t('errors.failed')
  }
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
