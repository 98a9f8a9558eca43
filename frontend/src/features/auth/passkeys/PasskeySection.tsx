import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passkeysQuery, type Passkey } from '@/api/passkeys'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { QueryResult } from '@/components/QueryResult'
import { formatDate, formatRelative } from '@/i18n/format'
import { passkeysSupported } from '@/lib/passkey-support'
import { removePasskey, twoFactorQuery } from '../api'
import markStyles from '../mark.module.css'
import rowStyles from '../sessions/sessions.module.css'
import own from '../two-factor/two-factor.module.css'

const MAXIMUM = 10

type Props = {
  onAdd: () => void
  onRename: (passkey: Passkey) => void
  /** Lets a passkey unlock the keys. */
  onUnlock: (passkey: Passkey) => void
}

/** The user's passkeys. */
export function PasskeySection(props: Props) {
  const { t } = useTranslation('security')
  const headingId = useId()
  const passkeys = useQuery(passkeysQuery)
  return (
    <section className={own.method} aria-labelledby={headingId}>
      <h3 className={own.name} id={headingId}>
        {t('passkeys.heading')}
      </h3>
      <p>{t('passkeys.text')}</p>
      <QueryResult query={passkeys} loading={t('passkeys.loading')} heights={[40]}>
        {(data) => <PasskeyList passkeys={data} {...props} />}
      </QueryResult>
    </section>
  )
}

function PasskeyList({ passkeys, onAdd, onRename, onUnlock }: Props & { passkeys: Passkey[] }) {
  const { t } = useTranslation('security')
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const full = passkeys.length >= MAXIMUM ? t('passkeys.full', { count: MAXIMUM }) : null
  return (
    <>
      {passkeys.length === 0 ? <p>{t('passkeys.none')}</p> : null}
      {passkeys.length > 0 ? (
        <ul className={rowStyles.list} aria-label={t('passkeys.heading')}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => onRename(passkey)}
              onUnlock={passkeysSupported() && !passkey.sealedUserKey ? () => onUnlock(passkey) : undefined}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </ul>
      ) : null}
      {passkeysSupported() ? (
        <div className={own.buttons}>
          <Button variant="outlined" disabledReason={full} onClick={onAdd}>
            {t('twoFactor.title.passkey')}
          </Button>
        </div>
      ) : (
        <p>{t('passkeys.unsupported')}</p>
      )}
      {removed ? (
        <ConfirmMutation
          title={t('passkeys.removeTitle', { name: removed.name })}
          confirmLabel={t('common:actions.remove')}
          destructive
          mutate={() => withVerification(() => removePasskey(removed.id))}
          success={t('passkeys.removed')}
          failure={t('passkeys.failed')}
          // Without the last one codes by SMS may be needed again.
          refresh={[passkeysQuery.queryKey, twoFactorQuery.queryKey]}
          onClose={() => setRemoved(null)}
        >
          {t('passkeys.removeText')}
        </ConfirmMutation>
      ) : null}
    </>
  )
}

type RowProps = {
  passkey: Passkey
  onRename: () => void
  onUnlock: (() => void) | undefined
  onRemove: () => void
}

function PasskeyRow({ passkey, onRename, onUnlock, onRemove }: RowProps) {
  const { t } = useTranslation('security')
  const { name, createdAt, lastUsedAt, sealedUserKey } = passkey
  return (
    <li className={rowStyles.row}>
      <div className={rowStyles.words}>
        <span className={rowStyles.device}>
          <bdi>{name}</bdi>
          {sealedUserKey ? <span className={markStyles.mark}>{t('passkeys.unlocks')}</span> : null}
        </span>
        <span className={rowStyles.facts}>
          <span>{t('passkeys.since', { date: formatDate(createdAt) })}</span>
          <span>{lastUsedAt ? t('passkeys.used', { time: formatRelative(lastUsedAt) }) : t('passkeys.unused')}</span>
        </span>
      </div>
      <div className={own.buttons}>
        {onUnlock ? (
          <Button variant="text" aria-label={t('passkeys.unlockOf', { name })} onClick={onUnlock}>
            {t('passkeys.unlock')}
          </Button>
        ) : null}
        <Button variant="text" aria-label={t('passkeys.renameOf', { name })} onClick={onRename}>
          {t('passkeys.rename')}
        </Button>
        <Button variant="text" danger aria-label={t('passkeys.removeOf', { name })} onClick={onRemove}>
          {t('common:actions.remove')}
        </Button>
      </div>
    </li>
  )
}
