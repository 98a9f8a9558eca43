import MembersPage from '@/features/members/MembersPage'
import { StyledLater } from './StyledLater'

export default function TeamMembersPage() {
  return (
    <StyledLater>
      <MembersPage />
    </StyledLater>
  )
}
