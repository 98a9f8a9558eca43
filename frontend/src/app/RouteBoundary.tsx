import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isFileMissing } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { replayEarlyInput } from '@/lib/hydration-replay'

type Props = { children: ReactNode }
type State = { error: unknown; failed: boolean }

/** Keeps a crash inside its page. */
export class RouteBoundary extends Component<Props, State> {
  override state: State = { error: null, failed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true }
  }

  override componentDidCatch(): void {
    replayEarlyInput()
  }

  override render() {
    return this.state.failed ? <CrashNotice error={this.state.error} /> : this.props.children
  }
}

function requestIdOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('requestId' in error)) return undefined
  return typeof error.requestId === 'string' ? error.requestId : undefined
}

function CrashNotice({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const kind = isFileMissing(error) ? 'chunk' : 'crash'
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
