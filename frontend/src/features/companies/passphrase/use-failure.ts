import { useTranslation } from 'react-i18next'
import { describeFailure } from '@/features/auth/describe-failure'

/** One sentence for what went wrong, or null. */
export function useFailure(error: unknown, fallback: string): string | null {
  const { t } = useTranslation('auth')
  return error ? describeFailure(error, fallback, t) : null
}
