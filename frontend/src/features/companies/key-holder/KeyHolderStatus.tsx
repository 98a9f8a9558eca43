import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withVerification } from '@/api/verification'
import { Button } from '@/components/Button'
import { ConfirmMutation } from '@/components/dialog/ConfirmMutation'
import { Actions, Lead, Panel, Stack } from '@/components/forms/layout'
import { formatDate } from '@/i18n/format'
import { keyHolderQuery, removeKeyHolder, type KeyHolder } from './api'
import own from './key-holder.module.css'
import { Person } from './Person'

type Props = {
  holder: KeyHolder | null
  onName: () => void
  onRenew: (holder: KeyHolder) => void
  onBack?: (() => void) | undefined
  onClose: () => void
}

export function KeyHolderStatus({ holder, onName, onRenew, onBack, onClose }: Props) {
  const { t } = useTranslation('company')
  const [removing, setRemoving] = useState(false)
  const name = holder ? `${holder.firstName} ${holder.lastName}` : ''
  return (
    <Stack>
      {holder ? (
        <div className={own.holder}>
          <Person person={holder} note={t('keyHolder.since', { date: formatDate(holder.since, 'long') })} />
          <Button
            variant="text"
            danger
            onClick={() => setRemoving(true)}
            aria-label={t('keyHolder.removeOf', { name })}
          >
            {t('common:actions.remove')}
          </Button>
        </div>
      ) : null}
      {holder && !holder.isCurrent ? (
        <Panel role="note">{t('keyHolder.outdated', { name })}</Panel>
      ) : (
        <Lead>{t(holder ? 'keyHolder.current' : 'keyHolder.none', { name })}</Lead>
      )}
      <Actions>
        <Button variant="text" onClick={onBack ?? onClose}>
          {t(onBack ? 'common:actions.back' : 'common:actions.close')}
        </Button>
        {holder ? null : (
          <Button autoFocus onClick={onName}>
            {t('keyHolder.name')}
          </Button>
        )}
        {holder && !holder.isCurrent ? (
          <Button autoFocus onClick={() => onRenew(holder)}>
            {t('keyHolder.renew')}
          </Button>
        ) : null}
      </Actions>
      {removing ? (
        <ConfirmMutation
          destructive
          title={t('keyHolder.removeTitle', { name })}
          confirmLabel={t('keyHolder.removeConfirm')}
          mutate={() => withVerification(removeKeyHolder)}
          success={t('keyHolder.removed')}
          failure={t('keyHolder.removeFailed')}
          refresh={[keyHolderQuery.queryKey]}
          onClose={() => setRemoving(false)}
        >
          {t('keyHolder.removeText', { name })}
        </ConfirmMutation>
      ) : null}
    </Stack>
  )
}
