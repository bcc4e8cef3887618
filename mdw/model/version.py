"""The version of mdw: answers name it, and rooms below the door may not ask the door."""

VERSION = "0.1.0"
