"""The peer: equivalent endpoints written with the FastAPI full-stack template's packages: FastAPI,
SQLModel, sync endpoints, psycopg."""

import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from fastapi import Depends, FastAPI, Header, HTTPException
from sqlmodel import Field, Session, SQLModel, col, create_engine, func, select

engine = create_engine(os.environ["BENCH_PSYCOPG"], pool_size=10, max_overflow=0)
app = FastAPI()


class LoginSession(SQLModel, table=True):
    __tablename__ = "sessions"
    id: int = Field(primary_key=True)
    company_id: int
    user_id: int
    handle_hash: bytes
    expires_at: datetime
    ended_at: datetime | None


class MemberPublic(SQLModel):
    uuid: UUID
    first_name: str
    last_name: str
    email: str
    phone_number: str
    role: str
    is_active: bool
    created_at: datetime


class Member(MemberPublic, table=True):
    __tablename__ = "users"
    id: int = Field(primary_key=True)
    company_id: int


class CompanyPublic(SQLModel):
    id: int = Field(primary_key=True)
    name: str
    email: str
    phone_number: str
    city: str
    state: str
    is_enabled: bool
    created_at: datetime


class Company(CompanyPublic, table=True):
    __tablename__ = "companies"
    id: int = Field(primary_key=True)
    search_text: str


class Members(SQLModel):
    item1: list[MemberPublic]
    item2: int


class Companies(SQLModel):
    item1: list[CompanyPublic]
    item2: int


def get_db() -> Iterator[Session]:
    with Session(engine) as session:
        yield session


Database = Annotated[Session, Depends(get_db)]


def get_caller(db: Database, authorization: Annotated[str, Header()]) -> Member:
    handle = hashlib.sha256(authorization.removeprefix("Bearer ").encode()).digest()
    found = db.exec(select(LoginSession).where(LoginSession.handle_hash == handle)).first()
    if found is None or found.ended_at or found.expires_at < datetime.now(UTC):
        raise HTTPException(401)
    current_user = db.get(Member, found.user_id)
    assert current_user is not None
    return current_user


CurrentUser = Annotated[Member, Depends(get_caller)]


@app.get("/members", response_model=Members)
def members(db: Database, current_user: CurrentUser, skip: int = 0, limit: int = 5) -> Members:
    ours = Member.company_id == current_user.company_id
    total = db.exec(select(func.count()).select_from(Member).where(ours)).one()
    page = select(Member).where(ours).order_by(col(Member.id)).offset(skip * limit).limit(limit)
    found = [MemberPublic.model_validate(row) for row in db.exec(page).all()]
    return Members(item1=found, item2=total)


@app.get("/companies", response_model=Companies)
def companies(
    db: Database,
    _: CurrentUser,
    searchText: str,  # noqa: N803
    skip: int = 0,
    limit: int = 5,
) -> Companies:
    found = col(Company.search_text).contains(searchText)
    total = db.exec(select(func.count()).select_from(Company).where(found)).one()
    page = select(Company).where(found).order_by(col(Company.id)).offset(skip * limit).limit(limit)
    rows = [CompanyPublic.model_validate(row) for row in db.exec(page).all()]
    return Companies(item1=rows, item2=total)
