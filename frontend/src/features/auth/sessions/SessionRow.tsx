import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { ComputerIcon } from '@/components/icons/ComputerIcon'
import { PhoneIcon } from '@/components/icons/PhoneIcon'
import type { SecretMutation } from '@/hooks/use-secret-mutation'
import { formatDateTime, formatRelative } from '@/i18n/format'
import type { OwnSession } from '../api'
import markStyles from '../mark.module.css'
import own from './sessions.module.css'

type Props = { session: OwnSession; signOut: SecretMutation<[id: number]> }

const phones = new Set(['iPhone', 'iPad', 'Android'])

function deviceName({ browser, system, clientName }: OwnSession, t: TFunction<'security'>): string {
  const program = clientName ?? browser
  if (program && system) return t('sessions.device', { browser: program, system })
  return program || system || t('sessions.unknownDevice')
}

export function SessionRow({ session, signOut }: Props) {
  const { t } = useTranslation('security')
  const [chosen, setChosen] = useState(false)
  const Icon = phones.has(session.system) ? PhoneIcon : ComputerIcon
  const name = deviceName(session, t)
  const used = session.current ? t('sessions.inUse') : t('sessions.used', { time: formatRelative(session.lastUsedAt) })
  return (
    <li className={own.row} aria-current={session.current || undefined}>
      <Icon className={own.icon} aria-hidden />
      <div className={own.words}>
        <span className={own.device}>
          {name}
          {session.current ? <span className={markStyles.mark}>{t('sessions.current')}</span> : null}
        </span>
        {session.kind === 'client' ? (
          <span className={own.facts}>{t('sessions.client', { version: session.clientVersion })}</span>
        ) : null}
        <span className={own.facts}>
          <bdi dir="ltr">{session.origin}</bdi>
          <span>{used}</span>
        </span>
        <span className={own.facts}>{t('sessions.since', { time: formatDateTime(session.startedAt) })}</span>
      </div>
      {session.current ? null : (
        <Button
          variant="text"
          pending={chosen && signOut.isPending}
          disabled={signOut.isPending}
          aria-label={t('sessions.signOutOf', { what: name })}
          onClick={() => {
            setChosen(true)
            void signOut.mutate(session.id).then(() => setChosen(false))
          }}
        >
          {t('sessions.signOut')}
        </Button>
      )}
    </li>
  )
}
