import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import styles from '../identity.module.css'
import { setRequired, ssoQuery, type Sso } from './api'

/** Whether members log in by the provider only. The leader's own ways in are tried first. */
export function Requirement({ sso: { required, isTried, recoveryCodesLeft } }: { sso: Sso }) {
  const { t } = useTranslation(['identity', 'common', 'auth', 'errors'])
  const [asking, setAsking] = useState(false)
  const reason = required ? null : !isTried ? t('sso.notTried') : recoveryCodesLeft === 0 ? t('sso.noCodes') : null
  return (
    <div className={styles.item}>
      <p>{t(required ? 'sso.required' : 'sso.optional')}</p>
      <p className="t-soft">{reason ?? `${t('sso.tried')} ${t('sso.codes', { count: recoveryCodesLeft })}`}</p>
      <div className={styles.actions}>
        <Button variant="outlined" disabledReason={reason} onClick={() => setAsking(true)}>
          {t(required ? 'sso.makeOptional' : 'sso.require')}
        </Button>
      </div>
      {asking ? (
        <ConfirmMutation
          title={t(required ? 'sso.makeOptionalTitle' : 'sso.requireTitle')}
          confirmLabel={t(required ? 'sso.makeOptional' : 'sso.require')}
          mutate={() => withVerification(() => setRequired(!required))}
          success={t(required ? 'sso.optionalDone' : 'sso.requireDone')}
          failure={t(required ? 'sso.optionalFailed' : 'sso.requireFailed')}
          refresh={[ssoQuery.queryKey]}
          onClose={() => setAsking(false)}
        >
          {t(required ? 'sso.makeOptionalText' : 'sso.requireText')}
        </ConfirmMutation>
      ) : null}
    </div>
  )
}
