import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import buttons from '@/components/button.module.css'
import { EmptyState } from '@/components/EmptyState'

type Props = { state: 'expired' | 'used' | 'unknown' | 'missing' }

/** A link that cannot be used, why, and what to do instead. */
export function ResetLinkNotice({ state }: Props) {
  const { t } = useTranslation('auth')
  // Whoever has changed the password already most likely wants to log in with it.
  const [first, second] = state === 'used' ? [buttons.outlined, buttons.primary] : [buttons.primary, buttons.outlined]
  return (
    <EmptyState
      heading="h1"
      art={state === 'unknown' ? 'lost' : 'locked'}
      title={t(`reset.${state}.title`)}
      text={t(`reset.${state}.text`)}
      actions={
        <>
          <Link to="/forgot-password" className={`${buttons.button} ${first ?? ''}`}>
            {t('reset.newLink')}
          </Link>
          <Link to="/login" className={`${buttons.button} ${second ?? ''}`}>
            {t('reset.toLogin')}
          </Link>
        </>
      }
    />
  )
}
