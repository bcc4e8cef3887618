"""Compiled dbt projects: what dbt leaves in the folder ``target`` -> files of SQL, and what of it is not SQL."""

from mdw.readers.dbt.project import DbtProject as DbtProject
from mdw.readers.dbt.project import read_project as read_project
from mdw.readers.dbt.unknown import UnknownModels as UnknownModels
