import { useTranslation } from 'react-i18next'
import { LinkButton } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'

type Props = { state: 'expired' | 'used' | 'unknown' | 'missing' }

/** A link that cannot be used, why, and what to do instead. */
export function ResetLinkNotice({ state }: Props) {
  const { t } = useTranslation('auth')
  // Whoever has changed the password already most likely wants to log in with it.
  const [first, second] = state === 'used' ? (['outlined', 'primary'] as const) : (['primary', 'outlined'] as const)
  return (
    <EmptyState
      heading="h1"
      art={state === 'unknown' ? 'lost' : 'locked'}
      title={t(`reset.${state}.title`)}
      text={t(`reset.${state}.text`)}
      actions={
        <>
          <LinkButton to="/forgot-password" size="large" variant={first}>
            {t('reset.newLink')}
          </LinkButton>
          <LinkButton to="/login" size="large" variant={second}>
            {t('reset.toLogin')}
          </LinkButton>
        </>
      }
    />
  )
}
