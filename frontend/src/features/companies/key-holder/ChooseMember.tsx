import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadErrorMessage } from '@/api/errors'
import { Button } from '@/components/Button'
import { ErrorState } from '@/components/ErrorState'
import { Actions, Lead, Stack, Status } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { SearchField } from '@/components/table/SearchField'
import { candidatesQuery, type Candidate } from './api'
import own from './key-holder.module.css'
import { Person } from './Person'

type Props = { onChoose: (member: Candidate) => void; onBack: () => void }

export function ChooseMember({ onChoose, onBack }: Props) {
  const { t } = useTranslation('company')
  const [text, setText] = useState('')
  const { data, isPending, isError, error, refetch } = useQuery(candidatesQuery(text))
  const nobody = data?.item1.length === 0
  return (
    <Stack>
      <Lead>{t('keyHolder.chooseText')}</Lead>
      <div>
        <SearchField label={t('keyHolder.search')} value={text} onSearch={setText} />
      </div>
      {isPending ? <Skeleton label={t('keyHolder.searching')} heights={[56, 56, 56]} /> : null}
      {isError ? <ErrorState heading="h3" text={loadErrorMessage(error)} onRetry={() => void refetch()} /> : null}
      {data && !nobody ? (
        <ul className={own.list} aria-label={t('common:screens.members')}>
          {data.item1.map((member) => (
            <li key={member.uuid} className={own.candidate}>
              <Person person={member} />
              <Button
                variant="outlined"
                aria-label={t('keyHolder.chooseOf', { name: `${member.firstName} ${member.lastName}` })}
                onClick={() => onChoose(member)}
              >
                {t('keyHolder.choose')}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      <Status role="status">{nobody ? t(text ? 'keyHolder.nobodyFound' : 'keyHolder.nobody') : ''}</Status>
      <Actions>
        <Button variant="text" onClick={onBack}>
          {t('common:actions.back')}
        </Button>
      </Actions>
    </Stack>
  )
}
