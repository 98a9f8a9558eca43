import { useTranslation } from 'react-i18next'
import { ErrorState } from '@/components/ErrorState'

function requestIdOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('requestId' in error)) return undefined
  return typeof error.requestId === 'string' ? error.requestId : undefined
}

/** A chunk that cannot be fetched: the network is gone, or a newer version has replaced the files. */
function isMissingChunk(error: unknown): boolean {
  return error instanceof Error && /dynamically imported|module script|preload CSS/i.test(error.message)
}

export function CrashNotice({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const kind = isMissingChunk(error) ? 'chunk' : 'crash'
  return (
    <ErrorState
      heading="h1"
      title={t(`${kind}.title`)}
      text={t(`${kind}.text`)}
      requestId={requestIdOf(error)}
      retryLabel={t('actions.reload')}
      onRetry={() => {
        window.location.reload()
      }}
    />
  )
}
