"""The mapping language: text to tree and back, tree to rules, the meta tree, requests and questions."""
