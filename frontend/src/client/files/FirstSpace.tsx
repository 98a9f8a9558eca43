import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { Field } from '@/components/forms/Field'
import { post } from '../api'
import { FormDialog } from '../FormDialog'

/** What a team leader sees before there is a space. */
export function FirstSpace() {
  const { t } = useTranslation('client')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <EmptyState
        heading="h1"
        title={t('space.emptyTitle')}
        text={t('space.emptyText')}
        actions={
          <Button size="large" onClick={() => setOpen(true)}>
            {t('space.create')}
          </Button>
        }
      />
      {isOpen ? <SpaceDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

export function SpaceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('client')
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('space.create')}
      submit={t('folder.create')}
      disabled={name.trim() === ''}
      onClose={onClose}
      onSubmit={async () => {
        await post('/spaces', { name: name.trim() })
        onClose()
      }}
    >
      <Field
        label={t('folder.name')}
        hint={t('space.hint')}
        value={name}
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  )
}
