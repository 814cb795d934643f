"""What formats share to reach the disk: opened beneath a root, read tolerantly."""
